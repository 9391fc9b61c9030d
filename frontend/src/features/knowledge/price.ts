import { useQuery } from '@tanstack/react-query'
import { knowledgeUseQuery } from './queries'

type Priced = { creditsPerMessage: number; creditsWithKnowledge?: number | null }

/** What an answered message costs, by whether its agent knows something. */
export const priceOf = ({ creditsPerMessage, creditsWithKnowledge }: Priced, knows: boolean) =>
  knows ? (creditsWithKnowledge ?? creditsPerMessage) : creditsPerMessage

/** Whether an agent's draft knows something. Until that is known, it does not. */
export function useKnows(agentId: string) {
  const mode = useQuery(knowledgeUseQuery(agentId)).data?.agent.knowledgeUse.mode
  return mode !== undefined && mode !== 'NONE'
}
