export { ChannelsPanel, type ChannelsPanelProps } from './ChannelsPanel'
export { ExportsPage } from './ExportsPage'
