export { RequestsPage } from './RequestsPage'
