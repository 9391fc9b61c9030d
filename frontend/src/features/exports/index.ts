export { PauseAllExports } from './bulk/PauseAllExports'
export { ChannelsPanel, type ChannelsPanelProps } from './ChannelsPanel'
export type { ExportSort } from './columns'
export { ExportStateBadge } from './ExportStateBadge'
export { ExportsPage } from './ExportsPage'
export { ExportPage } from './page/ExportPage'
export { endOf, type Period, priceOf, reachedPeriod } from './periods'
export {
  PauseApiExportDocument,
  type PublishedVersion,
  ResumeApiExportDocument,
  refreshExports,
  UpdateApiExportDocument,
} from './queries'
