import { useQuery } from '@tanstack/react-query'
import { knowledgeUseQuery } from './knowledgeUse'

/** Whether an agent's draft knows something. Until that is known, it does not. */
export function useKnows(agentId: string) {
  const mode = useQuery(knowledgeUseQuery(agentId)).data?.agent.knowledgeUse.mode
  return mode !== undefined && mode !== 'NONE'
}
