import { formatDate, formatDateTime } from './format'

/** A time as its date, with the exact time in the browser's own tooltip. */
export const ExactDate = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatDateTime(time)}>
    {formatDate(time)}
  </time>
)
