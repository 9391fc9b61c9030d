export { agentChoicesQuery, exportChoicesQuery } from './queries'
