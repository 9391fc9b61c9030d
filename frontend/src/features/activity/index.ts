export { type RangeSearch, rangeOf } from './range'
export { TimeRange } from './TimeRange'
