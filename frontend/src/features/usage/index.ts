export { UsagePage } from './UsagePage'
