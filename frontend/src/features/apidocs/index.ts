export { ApiDocsPage } from './ApiDocsPage'
