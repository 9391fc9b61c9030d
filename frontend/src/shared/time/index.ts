export { serverNow } from './clock'
export {
  type Dates,
  dayMs,
  hourMs,
  isBackward,
  lastDays,
  lastWeek,
  type Span,
  startOfDate,
  startOfDay,
  startOfMonth,
  timeZone,
} from './days'
export { dateOf, formatDate, formatDateTime, formatMinute, formatRelative, toLocal } from './format'
export { RelativeTime } from './RelativeTime'
export { formatClock, formatDay } from './reader'
export { useNow } from './useNow'
