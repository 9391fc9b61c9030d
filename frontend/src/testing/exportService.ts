import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { version, versionPages } from '@/shared/testing/versions'

export const apiKey = 'agc_the-whole-secret-0001'

export type ExportRow = ReturnType<typeof exportRow>

export function exportKey(id: string, lastUsedAt: string | null = null) {
  return { id, hint: `agc_…${id}`, createdAt: inMinutes(-60), lastUsedAt, stopsAt: null as string | null }
}

export function exportRow(id: string, name: string, lastUsedAt: string | null = null) {
  return {
    __typename: 'ApiExport',
    id,
    name,
    state: 'ACTIVE',
    createdAt: inMinutes(-60),
    removedAt: null as string | null,
    expiresAt: null as string | null,
    lastUsedAt,
    rateLimitPerMinute: 600,
    version: null as number | null,
    dailyCreditLimit: null as number | null,
    monthlyCreditLimit: null as number | null,
    creditsUsedToday: 0,
    creditsUsedThisMonth: 0,
    requireUserId: false,
    userDailyMessageLimit: null as number | null,
    keys: [exportKey(id, lastUsedAt)],
  }
}

type Options = {
  /** Told what an export is changed to. */
  onUpdate?: (input: Partial<ExportRow>) => void
  published?: ReturnType<typeof version>
  /** Other fields of the agent. */
  of?: object
  /** The latest requests of each export. */
  requests?: object[]
  /** The role of who is signed in. */
  role?: string
  /** The sums of each export's use. */
  use?: { messages: number; failed: number; refused: number; credits: number }
}

const none = { messages: 0, failed: 0, refused: 0, credits: 0 }

/** A service that keeps the exports of one agent, for an account that is signed in. */
export function exportService(
  rows: ExportRow[] = [],
  { onUpdate, published = version(3), of = {}, requests = [], role = 'OWNER', use = none }: Options = {},
) {
  const find = (id: string) => rows.find((one) => one.id === id) as ExportRow
  const ofKey = (id: string) => rows.find(({ keys }) => keys.some((key) => key.id === id)) as ExportRow
  const pageInfo = { hasNextPage: false, hasPreviousPage: false, endCursor: null }
  const agent = () => ({
    id: 'a1',
    name: 'Shop',
    state: 'LIVE',
    exports: rows,
    publishedVersion: published,
    versions: versionPages([version(3), version(2, { note: 'Kinder' }), version(1)]),
    ...of,
  })
  answer({
    agent,
    agents: () => ({ nodes: [agent()], edges: [], pageInfo, totalCount: 1 }),
    node: ({ id }: { id: string }) => {
      const row = find(id)
      if (!row) throw refusal('NOT_FOUND', 'There is no such object.')
      return { ...row, agent: agent() }
    },
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      viewerRole: role,
      createdAt: inMinutes(-1000),
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      usage: ({ interval }: { interval?: string }) =>
        interval
          ? [inMinutes(-24 * 60), inMinutes(0)].map((start) => ({ start, ...none, inputTokens: 0, outputTokens: 0 }))
          : [{ ...use, inputTokens: 0, outputTokens: 0 }],
      requests: { nodes: requests, edges: [], pageInfo },
      exports: ({ filter }: { filter: { state?: string; inUse?: boolean } }) => {
        const nodes = rows.filter(({ state }) => (filter.inUse ? state !== 'REMOVED' : state === filter.state))
        return { nodes: nodes.map((row) => ({ ...row, agent: agent() })), edges: [], pageInfo }
      },
    },
    createApiExport: ({ input: { agentId, ...given } }: { input: { agentId: string; name?: string } }) => {
      const made = { ...exportRow(`n${rows.length}`, 'API export'), ...given }
      rows.push(made)
      return { apiKey, export: made }
    },
    updateApiExport: ({ input }: { input: Partial<ExportRow> & { id: string } }) => {
      if (input.name === 'taken') {
        throw refusal('BAD_USER_INPUT', 'No.', {
          fields: [{ path: 'name', reason: 'taken', message: 'Not that name.' }],
        })
      }
      if (input.dailyCreditLimit === 13) {
        throw refusal('BAD_USER_INPUT', 'No.', {
          fields: [{ path: 'dailyCreditLimit', reason: 'unlucky', message: 'Not that limit.' }],
        })
      }
      onUpdate?.(input)
      return { export: Object.assign(find(input.id), input) }
    },
    pauseApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'PAUSED' }),
    }),
    resumeApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'ACTIVE' }),
    }),
    removeApiExport: ({ input }: { input: { id: string } }) => ({
      export: Object.assign(find(input.id), { state: 'REMOVED', removedAt: inMinutes(0) }),
    }),
    replaceApiKey: ({ input: { exportId, oldKeyStopsAt } }: { input: Replacement }) => {
      const row = find(exportId)
      if (row.keys.length > 1) throw refusal('CONFLICT', 'The export has two keys.')
      const old = oldKeyStopsAt ? row.keys.map((key) => ({ ...key, stopsAt: oldKeyStopsAt })) : []
      row.keys = [exportKey(`${exportId}-new`), ...old]
      return { apiKey, export: row }
    },
    stopApiKey: ({ input: { keyId } }: { input: { keyId: string } }) => {
      const row = ofKey(keyId)
      row.keys = row.keys.filter(({ id }) => id !== keyId).map((key) => ({ ...key, stopsAt: null }))
      return { export: row }
    },
    setApiKeyStop: ({ input: { keyId, stopsAt } }: { input: { keyId: string; stopsAt: string } }) => {
      const row = ofKey(keyId)
      row.keys = row.keys.map((key) => (key.id === keyId ? { ...key, stopsAt } : key))
      return { export: row }
    },
  })
  return rows
}

type Replacement = { exportId: string; oldKeyStopsAt?: string | null }
