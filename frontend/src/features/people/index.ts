export { People } from './PeoplePage'
export { PersonPage } from './PersonPage'
