export { serverNow } from './clock'
export { dateOf, formatDate, formatDateTime, formatRelative } from './format'
export { RelativeTime } from './RelativeTime'
export { useNow } from './useNow'
