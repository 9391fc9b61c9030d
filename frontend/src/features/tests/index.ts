export { TestsPage } from './TestsPage'
