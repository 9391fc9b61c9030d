import { screen } from '@testing-library/react'
import { answer, refusal } from '@/shared/testing/server'

type Args = { first: number; after: string | null; filter: Record<string, string> }

export const agent = { id: '0193f5a0-0000-7000-8000-000000000001', name: 'Shop help' }
const apiExport = { id: 'e1', name: 'Website' }
export type Row = Record<string, unknown> & { id: string; outcome: string; code?: string }
const base = {
  requestId: 'checkout-7',
  agent,
  export: apiExport,
  replayed: false,
  streamed: false,
  background: false,
  credits: 0,
}
/** A turn that asks for no actions and brings no results. */
const acted = { actionCalls: [], actionResults: [], sources: [] }

export const requests: Row[] = [
  {
    ...base,
    id: 'refused-1',
    at: '2026-01-05T19:03:05Z',
    outcome: 'REFUSED',
    status: 402,
    code: 'insufficient_credits',
    detail: 'The account does not have enough credits.',
    clientAddress: '192.0.2.1',
    sessionId: '<img src=x>',
    durationMs: 3,
  },
  {
    ...base,
    id: 'failed-1',
    background: true,
    at: '2026-01-05T19:02:05Z',
    outcome: 'FAILED',
    status: 504,
    code: 'model_timeout',
    durationMs: 55_000,
    preview: 'Do you have tea?',
    conversation: { id: 'c2', sessionId: 'table-4' },
    turn: { id: 't2', number: 3, message: 'Do you have tea?', ...acted },
  },
  {
    ...base,
    id: 'answered-1',
    requestId: '0193f5a0-0000-7000-8000-00000000abcd',
    at: '2026-01-04T19:03:05Z',
    outcome: 'ANSWERED',
    status: 200,
    credits: 5,
    durationMs: 1_240,
    waitedMs: 150,
    modelMs: 1_000,
    model: 'sandbox/assistant',
    preview: '¿Puedo cambiar\nla dirección?',
    sessionId: 'wa-346',
    userId: 'maria',
    conversation: { id: 'c1', sessionId: 'wa-346' },
    turn: {
      id: 't1',
      number: 2,
      message: '¿Puedo cambiar\nla dirección?',
      reply: 'Claro que **sí**.',
      version: 3,
      ...acted,
    },
  },
]
const errors = [
  { status: 'answered', messages: 9, failed: 0, refused: 0 },
  { status: 'insufficient_credits', messages: 0, failed: 0, refused: 22 },
  { status: 'model_timeout', messages: 0, failed: 31, refused: 0 },
]
export const hours = ['2026-01-05T18:00:00.000Z', '2026-01-05T19:00:00.000Z', '2026-01-05T20:00:00.000Z']

/** A service with these requests, after which more may follow, and whose clock says so if a time is given. */
export function service(found = requests, time?: string, more = false) {
  const asked: Args[] = []
  const counted: Record<string, unknown>[] = []
  const parts: Record<string, unknown>[] = []
  const resolvers = {
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: {
      id: '1',
      name: 'Ada',
      creditBalance: 100,
      creditsHeld: 0,
      creditsAvailable: 100,
      usage: ({ filter, groupBy, interval }: { filter: object; groupBy: string[]; interval?: string }) => {
        if (interval) return hours.map((start) => ({ start, messages: 40, failed: 31, refused: 22 }))
        counted.push({ ...filter, groupBy })
        return errors.map((row) => ({ ...row, agent, rest: false }))
      },
      requests: (args: Args) => {
        const { from: _, to: __, ...filter } = args.filter
        asked.push({ ...args, filter })
        if (args.filter.from === hours[1]) parts.push(args.filter)
        const { outcome, code, search, text = '' } = args.filter
        const nodes = found.filter(
          (request) =>
            (!outcome || request.outcome === outcome) &&
            (!code || request.code === code) &&
            (!search || request.requestId === search || request.sessionId === search) &&
            String(request.preview ?? '').includes(text),
        )
        return {
          edges: nodes.map((node) => ({ cursor: node.id, node })),
          pageInfo: { hasNextPage: more, endCursor: nodes.at(-1)?.id ?? null },
        }
      },
    },
    agents: { nodes: [agent], pageInfo: { hasNextPage: false } },
    request: ({ id }: { id: string }) => {
      const request = found.find((one) => one.id === id)
      if (!request) throw refusal('NOT_FOUND', 'There is no such request.')
      return request
    },
  }
  answer(resolvers, time ? { Date: new Date(time).toUTCString() } : {})
  return { asked, counted, parts }
}

export const row = (id: string) => document.querySelector<HTMLElement>(`[data-row="${id}"]`) as HTMLElement
export const opener = (id: string) => row(id).querySelector('.panel-row-link')
export const listed = () => screen.findByRole('link', { name: 'Do you have tea?' })
