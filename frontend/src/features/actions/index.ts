export { ActionCalls } from './ActionCalls'
export { ActionResults } from './ActionResults'
export { ResultsForm } from './ResultsForm'
export type { Call, CallState, Result } from './values'
