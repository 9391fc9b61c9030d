import type { Agent } from '../queries'

/** Whether an agent's draft knows something. */
export const knows = ({ knowledgeUse }: Agent) => knowledgeUse.mode !== 'NONE'
