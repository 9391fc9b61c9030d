export { PauseAllExports } from './bulk/PauseAllExports'
export { ChannelsPanel } from './create/ChannelsPanel'
export { ExportStateBadge } from './ExportStateBadge'
export type { ExportSort } from './list/columns'
export { ExportsPage } from './list/ExportsPage'
export { ExportPage } from './page/ExportPage'
export { endOf, type Period, priceOf, reachedPeriod } from './periods'
export {
  agentExportsQuery,
  PauseApiExportDocument,
  type PublishedVersion,
  ResumeApiExportDocument,
  refreshExports,
  UpdateApiExportDocument,
} from './queries'
