export { Shell } from './Shell'
export { ThemeControl } from './ThemeControl'
export { UnknownPage } from './UnknownPage'
