export { CreditsBanner } from './CreditsBanner'
export { lastDays, startOfDate, timeZone } from './range'
export { useLasts } from './useLasts'
export { type Outlook, useOutlook } from './useOutlook'
