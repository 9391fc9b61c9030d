export { RequiredPage } from './RequiredPage'
export { SecondFactor } from './SecondFactor'
