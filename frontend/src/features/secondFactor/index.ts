export { RequiredPage } from './RequiredPage'
export { Rule } from './Rule'
export { SecondFactor } from './SecondFactor'
