export { beginningOf } from './beginning'
export { formatBytes } from './bytes'
export { type Change, countChange, successChange, timeChange } from './changes'
export { languageName } from './languages'
export { type CreditUse, isNearly, limitsNear, nearestLimit, nearlyShare } from './limits'
export { compareNames, digits, isOf24Hours, locale } from './locale'
export {
  durationOf,
  formatColumnShare,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
  separators,
} from './numbers'
export { isFew, isPoor, successOf } from './success'
