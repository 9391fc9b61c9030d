export { AgentFilter } from './AgentFilter'
export { ExportFilter } from './ExportFilter'
export { has } from './filter'
export { agentChoicesQuery, exportChoicesQuery } from './queries'
