export { CreditsPage } from './credits/CreditsPage'
export { creditKinds } from './credits/filter'
export { UsagePage } from './UsagePage'
