export { AgentFilter } from './AgentFilter'
export { ExportFilter } from './ExportFilter'
export { agentChoicesQuery, exportChoicesQuery } from './queries'
