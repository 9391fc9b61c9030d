export { DevelopersFrame } from './DevelopersFrame'
export { GraphqlPage } from './GraphqlPage'
export { QuickstartPage } from './QuickstartPage'
export { TokensPage } from './tokens/TokensPage'
