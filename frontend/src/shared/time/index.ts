export { serverNow } from './clock'
export { dateOf, formatDate, formatDateTime, formatMinute, formatRelative } from './format'
export { RelativeTime } from './RelativeTime'
export { useNow } from './useNow'
