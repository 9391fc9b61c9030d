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
export * from './format'
export { RelativeTime } from './RelativeTime'
export { useNow } from './useNow'
