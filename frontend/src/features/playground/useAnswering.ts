import type { Agent } from '@/features/agents'
import { useVersions } from '@/features/versions'

/** What answers a message: the draft, or a version. */
export type Answering = {
  version?: number
  /** Null if it has none, or none that is still offered. */
  model: { label: string; creditsPerMessage: number; available: boolean } | null
  /** Whether the model is not known yet. */
  loading: boolean
  /** Whether the agent has no such version. */
  unknown?: boolean
}

export function useAnswering(agent: Agent, version: number | undefined): Answering {
  const { query, edges } = useVersions(agent.id, version)
  if (version === undefined) return { model: agent.model ?? null, loading: false }
  const found = edges.find(({ node }) => node.number === version)
  const older = (edges.at(-1)?.node.number ?? 0) > version && query.hasNextPage && !query.isError
  const loading = !found && (query.isPending || older)
  return { version, model: found?.node.model ?? null, loading, unknown: !found && query.isSuccess && !loading }
}
