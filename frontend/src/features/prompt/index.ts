export { ContinuedFrom } from './ContinuedFrom'
export { ModelSaw } from './ModelSaw'
