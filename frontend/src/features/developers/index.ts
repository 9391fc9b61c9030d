export { DevelopersFrame } from './DevelopersFrame'
export { GraphqlPage } from './GraphqlPage'
export { QuickstartPage } from './QuickstartPage'
