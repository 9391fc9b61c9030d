export { AgentFilter } from './AgentFilter'
export { agentChoicesQuery, exportChoicesQuery } from './queries'
