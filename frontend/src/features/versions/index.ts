export { ChangedText } from './diff/ChangedText'
export { actionsText } from './diff/content'
export { DraftChanges } from './diff/DraftChanges'
export { knowledgeChanges } from './diff/knowledge'
export { lineChanges } from './diff/lines'
export { useVariableText } from './diff/useVariableText'
export type { Shown } from './list/VersionChanges'
export { VersionList } from './list/VersionList'
export { leftovers } from './publish/leftovers'
export { PublishDialog } from './publish/PublishDialog'
export {
  liveContentQuery,
  refreshVersions,
  reviewQuery,
  versionGivenQuery,
} from './queries'
export { DiscardAgentChangesDocument, replacingDraft } from './replacingDraft'
export { useVersions } from './useVersions'
export { VersionSelect } from './VersionSelect'
