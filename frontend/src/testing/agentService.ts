import { session } from '@/shared/gql'
import { answer, inMinutes, refusal, type Seen } from '@/shared/testing/server'
import { type TestVersion, version, versionPages } from '@/shared/testing/versions'
import { noKnowledge } from './knowledgeService'

/** The models of the service. */
export const models = [
  model('sandbox/assistant', 'Assistant', { sandbox: true }),
  model('acme/fast', 'Fast', {}),
  model('acme/gone', 'Gone', { available: false }),
]

function model(name: string, label: string, rest: { sandbox?: boolean; available?: boolean }) {
  const provider = name.split('/')[0]
  return { name, label, provider, creditsPerMessage: 2, available: true, contextWindow: 8000, sandbox: false, ...rest }
}

type Input = Record<string, unknown> & { id: string; expectedUpdatedAt?: string }

type Fields = Record<string, unknown>

/** What of an agent is published. */
const contentOf = ({
  instructions,
  model: chosen,
  temperature,
  maxOutputTokens,
  contextTurns,
  variables,
  fallbackModel = null,
  replySchema = null,
  actions = [],
}: Fields) => ({
  instructions,
  model: chosen,
  temperature,
  maxOutputTokens,
  contextTurns,
  variables,
  fallbackModel,
  replySchema,
  actions,
})

const sameContent = (version: TestVersion, content: Fields) =>
  JSON.stringify(contentOf(version)) === JSON.stringify(content)

/**
 * A service with one agent, which moves on by a second with every change. It has been published that many times, last as it is
 * now, and earlier with the instructions "Instructions of version N.". `more` answers further questions.
 */
export function agentService(initial: Fields = {}, published = 0, more: Fields = {}) {
  let changes = 0
  const moment = () => new Date(Date.UTC(2026, 0, 1, 0, 0, changes)).toISOString()
  const state = {
    updates: [] as Input[],
    created: [] as Input[],
    duplicated: [] as Input[],
    deleted: [] as string[],
    published: [] as Input[],
    /** The calls that change the draft or the state as a whole. */
    calls: [] as string[],
    versions: [] as TestVersion[],
    expired: false,
    /** Throws to refuse an update. */
    refuse: undefined as ((input: Input) => void) | undefined,
    /** Holds up the answer to a question for the agent, once it is read. */
    read: undefined as (() => Promise<void>) | undefined,
    agent: {
      id: 'a1',
      name: 'Shop',
      description: '',
      instructions: 'Be kind.',
      temperature: null,
      maxOutputTokens: null,
      contextTurns: 40,
      variables: [],
      fallbackModel: null,
      replySchema: null,
      actions: [],
      state: 'DRAFT',
      missing: [],
      updatedAt: moment(),
      createdAt: moment(),
      lastUsedAt: null,
      model: models[1],
      exports: [],
      ...noKnowledge,
      ...initial,
    } as Record<string, unknown>,
    change(fields: Record<string, unknown>) {
      changes++
      state.agent = { ...state.agent, ...fields, updatedAt: moment() }
      return state.agent
    },
    /** Makes a version of the draft, as publishing does. */
    publish(note = '') {
      const [latest] = state.versions
      const content = contentOf(state.agent)
      if (!latest || !sameContent(latest, content)) {
        state.versions.unshift(version((latest?.number ?? 0) + 1, { ...content, note }))
      }
      state.change({ state: 'LIVE' })
      return state.versions[0]
    },
  }
  for (let number = 1; number < published; number++) {
    state.versions.unshift(
      version(number, { ...contentOf(state.agent), instructions: `Instructions of version ${number}.` }),
    )
  }
  if (published > 0) state.publish()
  const shown = () => {
    const [latest] = state.versions
    return {
      ...state.agent,
      publishedVersion: latest ?? null,
      hasUnpublishedChanges: !latest || !sameContent(latest, contentOf(state.agent)),
      versions: versionPages(state.versions),
      version: ({ number }: { number: number }) => state.versions.find((one) => one.number === number) ?? null,
    }
  }
  const guarded =
    <A, T>(of: (args: A) => T) =>
    (args: A, seen: Seen) => {
      if (state.expired || seen.authorization !== 'Bearer good') throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return of(args)
    }
  const account = {
    id: '1',
    name: 'Ada',
    creditBalance: 9,
    creditsHeld: 0,
    creditsAvailable: 9,
    usage: [],
  }
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  answer({
    serviceInfo: { version: '1', baseUrl: '', signUpOpen: true, creditsHelp: '', supportContact: '', mail: false },
    renewAccess: () => {
      if (state.expired) throw refusal('UNAUTHENTICATED', 'Not signed in.')
      return { accessToken: 'good', expiresAt: inMinutes(15) }
    },
    signIn: () => {
      state.expired = false
      return { accessToken: 'good', expiresAt: inMinutes(15), account }
    },
    me: guarded(() => ({ id: 'u1', email: 'ada@example.com' })),
    viewer: guarded(() => account),
    agents: guarded(() => ({ nodes: [], edges: [], pageInfo, totalCount: 0 })),
    agent: guarded(async () => {
      const found = shown()
      await state.read?.()
      return found
    }),
    models: guarded(() => models),
    exampleReply: guarded(({ schema }: { schema: string }) =>
      schema.includes('answer') ? '{"answer":"Example"}' : null,
    ),
    schemaNotes: guarded(() => [{ path: '/properties/answer/format' }, { path: '/x-note' }]),
    updateAgent: guarded(({ input }: { input: Input }) => {
      state.updates.push({ ...input })
      state.refuse?.(input)
      if (input.expectedUpdatedAt !== state.agent.updatedAt) throw refusal('CONFLICT', 'The agent has changed.')
      const { id: _, expectedUpdatedAt: __, ...fields } = input
      for (const field of ['model', 'fallbackModel']) {
        if (fields[field] !== undefined) fields[field] = models.find(({ name }) => name === fields[field]) ?? null
      }
      state.change(fields)
      return { agent: shown() }
    }),
    publishAgent: guarded(({ input }: { input: Input }) => {
      state.published.push({ ...input })
      if (input.expectedUpdatedAt !== state.agent.updatedAt) throw refusal('CONFLICT', 'The agent has changed.')
      const { nodes } = state.agent.knowledge as { nodes: { state: string }[] }
      const notReady = nodes.filter((source) => source.state !== 'READY')
      return { version: state.publish(input.note as string | undefined), agent: shown(), notReady }
    }),
    unpublishAgent: guarded(() => {
      state.calls.push('offline')
      state.change({ state: 'OFFLINE' })
      return { agent: shown() }
    }),
    discardAgentChanges: guarded(() => {
      state.calls.push('discard')
      state.change(contentOf(state.versions[0] ?? {}))
      return { agent: shown() }
    }),
    restoreAgentVersion: guarded(({ input }: { input: Input & { number: number } }) => {
      state.calls.push(`restore ${input.number}`)
      state.change(contentOf(state.versions.find(({ number }) => number === input.number) ?? {}))
      return { agent: shown() }
    }),
    createAgent: guarded(({ input }: { input: Input }) => {
      state.created.push({ ...input })
      return { agent: { ...shown(), id: 'a2', name: input.name } }
    }),
    duplicateAgent: guarded(({ input }: { input: Input }) => {
      state.duplicated.push({ ...input })
      return { agent: { ...shown(), id: 'a2', name: input.name } }
    }),
    deleteAgent: guarded(({ input }: { input: Input }) => {
      state.deleted.push(input.id)
      return { deletedAgentId: input.id }
    }),
    ...more,
  })
  session.signedIn('good', inMinutes(15), Date.now())
  return state
}
