import type { Agent } from '../queries'

/** Whether an agent's draft has knowledge. */
export const knows = ({ knowledgeUse }: Agent) => knowledgeUse.mode !== 'NONE'
