import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatRelative } from './format'
import { useNow } from './useNow'

/** A moment as "3 minutes ago", with the exact one in a tooltip. `null` is "Never", or what `none` says. */
export function RelativeTime({ time, none }: { time: string | null | undefined; none?: string }) {
  const { t } = useTranslation()
  const now = useNow()
  if (!time) return <span>{none ?? t('time.never')}</span>
  const moment = Date.parse(time)
  // A server whose clock is a little ahead must not make things happen in the future.
  const shown = moment > now && moment - now < 60_000 ? now : moment
  return (
    <Tooltip label={formatDateTime(moment)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={time}>{formatRelative(shown, now)}</time>
    </Tooltip>
  )
}
