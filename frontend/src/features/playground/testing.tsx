import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { agentQuery } from '@/features/agents'
import type { RateTurnInput, SendTestMessageInput } from '@/gql/graphql'
import { session } from '@/shared/gql'
import { answer, inMinutes, refusal } from '@/shared/testing/server'
import { type TestVersion, version, versionPages } from '@/shared/testing/versions'
import { noKnowledge } from '@/testing/knowledgeService'
import { renderPage } from '@/testing/renderPage'
import { write } from '@/testing/write'
import { TryPane } from './Workbench'

export const address = '/agents/a1'
export const composer = () => screen.findByRole('textbox', { name: 'Message' })

/** Renders Try alone at an address of the agent's page: the draft and the head around it would take most of a test's time. */
export const renderTry = (at = address) => renderPage(at, { '/agents/$id/': Try })

function Try() {
  const agent = useQuery(agentQuery('a1')).data?.agent
  return agent && <TryPane agent={agent} />
}

/** Sends a message. */
export async function send(text: string) {
  await write(await composer(), text)
  await userEvent.keyboard('{Enter}')
}

/** Opens the chat's menu. */
export const openMenu = async () => userEvent.click(await screen.findByRole('button', { name: 'Chat options' }))

/** Chooses from the chat's menu. */
export async function fromChatMenu(name: string) {
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }))
}

const model = {
  name: 'demo/echo',
  label: 'Echo',
  provider: 'demo',
  creditsPerMessage: 2,
  available: true,
  contextWindow: 8192,
  sandbox: true,
}

type Options = {
  credits?: number
  agent?: Record<string, unknown>
  send?: (input: SendTestMessageInput, attempt: number) => Record<string, unknown>
  /** What a message waits for before it is accepted. */
  start?: () => Promise<void>
  /** The events between the start and the outcome. */
  reply?: (input: SendTestMessageInput, attempt: number) => AsyncGenerator<unknown>
  /** The latest stored turns of the conversation. */
  stored?: () => Record<string, unknown>[]
  /** Answers node(id); without it no turn is found. */
  node?: (id: string) => unknown
  versions?: TestVersion[]
  /** Others than the agent's own. */
  models?: (typeof model)[]
}

const pageInfo = { hasNextPage: false, hasPreviousPage: false }
const conversationsOf = (nodes: Record<string, unknown>[]) =>
  nodes.length === 0 ? [] : [{ id: 'c1', turns: { edges: [], nodes, pageInfo } }]

/** One event of a streamed reply. */
export const event = (kind: string, fields: Record<string, unknown>) => ({
  testMessage: { __typename: `TestMessage${kind}`, ...fields },
})
async function* nothing() {}

/** A service with one agent and an account. It records what it receives. */
export function service({
  credits = 10,
  agent: changed = {},
  send = () => ({}),
  start,
  reply = nothing,
  stored,
  node,
  models = [],
  versions = [version(3), version(2, { note: 'Kinder' }), version(1)],
}: Options = {}) {
  const agent: Record<string, unknown> = {
    id: 'a1',
    name: 'Shop',
    state: 'LIVE',
    hasUnpublishedChanges: false,
    publishedVersion: { number: 3 },
    description: '',
    instructions: 'Be brief.',
    temperature: null,
    maxOutputTokens: null,
    contextTurns: 40,
    replySchema: null,
    actions: [],
    fallbackModel: null,
    variables: [],
    missing: [],
    exports: [],
    ...noKnowledge,
    updatedAt: '2026-01-01T00:00:00Z',
    model,
    ...changed,
  }
  const seen = { sent: [] as SendTestMessageInput[], viewers: 0, agent }
  session.signedIn('good', inMinutes(15), Date.now())
  answer({
    serviceInfo: {
      version: '1',
      baseUrl: 'http://localhost',
      signUpOpen: true,
      creditsHelp: 'Write to the operator',
      supportContact: '',
      mail: false,
    },
    models: [model, ...models],
    me: { id: 'u1', email: 'ada@example.com' },
    viewer: () => {
      seen.viewers++
      const creditsAvailable = credits - 2 * seen.sent.length
      return {
        id: '1',
        name: 'Ada',
        creditBalance: credits,
        creditsHeld: 0,
        creditsAvailable,
      }
    },
    agent: () => ({
      ...agent,
      versions: versionPages(versions),
      conversations: { edges: [], nodes: conversationsOf(stored?.() ?? []), pageInfo },
    }),
    node: ({ id }: { id: string }) => {
      const found = node?.(id)
      if (!found) throw refusal('NOT_FOUND', 'There is no such turn.')
      return found
    },
    rateTurn: ({ input: { turnId, value } }: { input: RateTurnInput }) => ({
      turn: { id: turnId, ratings: [{ kind: 'TEAM', value, note: '', ratedBy: { kind: 'USER', name: 'Ada' } }] },
    }),
    testMessage: async function* ({ input }: { input: SendTestMessageInput }) {
      seen.sent.push(input)
      await start?.()
      const turn: Record<string, unknown> = {
        id: `t${seen.sent.length}`,
        reply: `You said **${input.message}**`,
        state: 'ANSWERED',
        version: input.version,
        requestId: 'req-7',
        model: 'demo/echo',
        fallback: false,
        actionCalls: [],
        sources: [],
        actionResults: [],
        credits: 2,
        durationMs: 1234,
        ...send(input, seen.sent.length),
      }
      const outcome = { turn, conversation: { id: 'c1', sessionId: input.sessionId }, creditsRemaining: 8 }
      yield event('Started', { turnId: turn.id, sessionId: input.sessionId })
      yield* reply(input, seen.sent.length)
      yield event(turn.state === 'ANSWERED' ? 'Ended' : 'Failed', outcome)
    },
  })
  return seen
}
