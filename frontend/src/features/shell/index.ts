export { useNavigationGuard } from './navigation/useNavigationGuard'
export { Shell } from './Shell'
export { ThemeControl } from './theme/ThemeControl'
export { UnknownPage } from './UnknownPage'
