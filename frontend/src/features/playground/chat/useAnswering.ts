import { useQuery } from '@tanstack/react-query'
import type { Agent } from '@/features/agents'
import { knows } from '@/features/agents'
import type { Variable } from '@/features/versions'
import { priceOf, useVersions, versionGivenQuery } from '@/features/versions'

/** What answers a message: the draft, or a version. */
export type Answering = {
  version?: number
  /** The name of the model, if it is not the one of the draft or the version. */
  chosen?: string
  /** With the price of what answers. Null if it has none, or none that is still offered. */
  model: { label: string; creditsPerMessage: number; available: boolean } | null
  /** What it declares; undefined if that is not known. */
  variables?: Variable[]
  /** Why the variables could not be read, and how to try again. */
  unread?: { error: unknown; retrying: boolean; onRetry: () => void }
  /** Whether the model is not known yet. */
  loading: boolean
  /** Whether the agent has no such version. */
  unknown?: boolean
}

export function useAnswering(agent: Agent, version: number | undefined): Answering {
  const { query, edges } = useVersions(agent.id, version)
  const at = edges.findIndex(({ node }) => node.number === version)
  const found = edges[at]
  const content = useQuery({
    ...versionGivenQuery(agent.id, version, edges[at - 1]?.cursor ?? null),
    enabled: found !== undefined,
  })
  if (version === undefined)
    return { model: priced(agent.model, knows(agent)), variables: agent.variables, loading: false }
  const older = (edges.at(-1)?.node.number ?? 0) > version && query.hasNextPage && !query.isError
  const loading = !found && (query.isPending || older)
  return {
    version,
    model: priced(found?.node.model, content.data?.knows ?? false),
    variables: content.data?.variables,
    unread: content.isLoadingError
      ? { error: content.error, retrying: content.isFetching, onRetry: () => void content.refetch() }
      : undefined,
    loading,
    unknown: !found && query.isSuccess && !loading,
  }
}

type Model = NonNullable<Answering['model']> & Parameters<typeof priceOf>[0]

/** A model with its price for an agent that knows something, or for one that does not. */
const priced = (model: Model | null | undefined, knows: boolean) =>
  model ? { ...model, creditsPerMessage: priceOf(model, knows) } : null
