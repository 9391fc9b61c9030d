export { Shell } from './Shell'
export { ThemeControl } from './ThemeControl'
