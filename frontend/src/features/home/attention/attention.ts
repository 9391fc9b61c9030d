import { limitsNear } from '@/shared/format'
import { dayMs } from '@/shared/time'
import type { AttentionExport, HomeAttention } from '../queries'
import type { LastHourRow } from '../usage'

/** Something that the owner should look at, besides credits, which the banner on top warns of. */
export type Concern =
  | { kind: 'failing'; agent: Named; failed: number; all: number; code: string | undefined }
  | { kind: 'limit'; export: AttentionExport; period: 'day' | 'month'; used: number; limit: number }
  | { kind: 'expiring'; export: AttentionExport; expiresAt: string }
  | { kind: 'unpublished'; agent: Named; version: number }

type Named = { id: string; name: string }

/** From how many failures of the last hour on, and from which part of its messages, an agent is said to fail. */
const fewestFailed = 3
const failingShare = 0.1
const soonMs = 7 * dayMs

/** Everything that needs attention, worst first. */
export function concernsOf(
  { agents, viewer }: HomeAttention,
  lastHour: readonly LastHourRow[],
  now: number,
): Concern[] {
  const exports = viewer.exports.nodes
  return [
    ...failingAgents(lastHour),
    ...exports.flatMap(limitOf).toSorted((a, b) => b.used / b.limit - a.used / a.limit),
    ...exports
      .flatMap((one) =>
        isSoon(one.expiresAt, now) ? [{ kind: 'expiring', export: one, expiresAt: one.expiresAt } as const] : [],
      )
      .toSorted((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt)),
    ...agents.nodes.flatMap(({ id, name, state, hasUnpublishedChanges, publishedVersion }) =>
      state === 'LIVE' && hasUnpublishedChanges && publishedVersion
        ? [{ kind: 'unpublished', agent: { id, name }, version: publishedVersion.number } as const]
        : [],
    ),
  ]
}

function failingAgents(rows: readonly LastHourRow[]) {
  const byAgent = new Map<string, { agent: Named; failed: number; all: number; most: LastHourRow | undefined }>()
  for (const row of rows) {
    if (!row.agent) continue
    const { agent, failed, all, most } = byAgent.get(row.agent.id) ?? {
      agent: row.agent,
      failed: 0,
      all: 0,
      most: undefined,
    }
    byAgent.set(agent.id, {
      agent,
      failed: failed + row.failed,
      all: all + row.failed + row.messages,
      most: row.failed > (most?.failed ?? 0) ? row : most,
    })
  }
  return [...byAgent.values()]
    .filter(({ failed, all }) => failed >= fewestFailed && failed >= failingShare * all)
    .toSorted((a, b) => b.failed / b.all - a.failed / a.all)
    .map(({ agent, failed, all, most }) => ({
      kind: 'failing' as const,
      agent,
      failed,
      all,
      code: most?.status ?? undefined,
    }))
}

const isSoon = (expiresAt: string | null | undefined, now: number): expiresAt is string =>
  expiresAt != null && Date.parse(expiresAt) - now <= soonMs

/** The limit of which an export has used most, if it has used most of it. */
const limitOf = (one: AttentionExport) =>
  limitsNear(one)
    .slice(0, 1)
    .map((found) => ({ kind: 'limit' as const, export: one, ...found }))
