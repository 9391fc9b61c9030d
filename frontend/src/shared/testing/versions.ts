import { inMinutes } from './server'

/** An agent's version as the service answers it. */
export function version(number: number, changed: Record<string, unknown> = {}) {
  return {
    number,
    createdAt: inMinutes(-number),
    note: '',
    publishedBy: { name: 'Ada' } as { name: string } | null,
    instructions: `Instructions of version ${number}.`,
    modelName: 'demo/echo',
    model: { name: 'demo/echo', label: 'Echo', creditsPerMessage: 2, available: true },
    fallbackModel: null as { name: string; label: string } | null,
    fallbackModelName: null as string | null,
    temperature: null,
    maxOutputTokens: null,
    contextTurns: 40,
    replySchema: null as string | null,
    actions: [] as Record<string, unknown>[],
    knowledge: [] as Record<string, unknown>[],
    variables: [] as Record<string, unknown>[],
    pinnedBy: [] as { id: string; name: string }[],
    ...changed,
  }
}

export type TestVersion = ReturnType<typeof version>

/** Answers the pages of an agent's versions, which are given newest first. */
export const versionPages =
  (versions: TestVersion[]) =>
  ({ first, after }: { first?: number; after?: string }) => {
    const start =
      after === undefined || after === null ? 0 : versions.findIndex(({ number }) => after === `v${number}`) + 1
    const nodes = versions.slice(start, start + (first ?? 20))
    return {
      nodes,
      edges: nodes.map((node) => ({ cursor: `v${node.number}`, node })),
      pageInfo: {
        hasNextPage: start + nodes.length < versions.length,
        hasPreviousPage: start > 0,
        endCursor: nodes.length > 0 ? `v${nodes.at(-1)?.number}` : null,
      },
    }
  }
