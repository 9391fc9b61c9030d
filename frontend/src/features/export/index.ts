export { ExportPage } from './ExportPage'
