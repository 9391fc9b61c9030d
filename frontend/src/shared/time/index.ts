export { serverNow } from './clock'
export {
  boundsOf,
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
export { ExactDate } from './ExactDate'
export * from './format'
export { RelativeTime } from './RelativeTime'
export { dayOf, dayPattern, timeOf, typedDay, typedTime } from './typed'
export { useNow } from './useNow'
