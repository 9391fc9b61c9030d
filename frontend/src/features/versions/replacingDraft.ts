import type { QueryClient } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { hasCode } from '@/shared/gql'
import { type Reviewed, reviewQuery } from './queries'

export const DiscardAgentChangesDocument = graphql(`
  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {
    discardAgentChanges(input: $input) {
      agent {
        id
      }
    }
  }
`)

/** The draft's sources that no version has, of those that are known. */
export const onlyInDraft = ({ knowledge }: Pick<Reviewed, 'knowledge'>) =>
  knowledge.nodes.filter(({ inDraft, inVersions }) => inDraft && inVersions.length === 0)

/**
 * Makes the draft something else, as often as it is confirmed. Sources that no version has are deleted only once the reader has been
 * told: by the question, or by the service's refusal, which names them.
 */
export function replacingDraft<T>(
  queryClient: QueryClient,
  agentId: string,
  send: (removeKnowledge: boolean | undefined) => Promise<T>,
) {
  let refused = false
  return async () => {
    const asked = queryClient.getQueryData(reviewQuery(agentId).queryKey)?.agent
    const told = refused || (asked != null && onlyInDraft(asked).length > 0)
    try {
      return await send(told || undefined)
    } catch (error) {
      refused ||= hasCode(error, 'CONFLICT')
      throw error
    }
  }
}
