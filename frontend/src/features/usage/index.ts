export { AgentUsagePage } from './AgentUsagePage'
export { UsagePage } from './UsagePage'
