export { People } from './list/PeoplePage'
export { PersonPage } from './person/PersonPage'
