import { refusal } from '@/shared/testing/server'

export type TestSource = ReturnType<typeof source>

type TestNote = { code: string; message: string; sample?: string; encoding?: string }

/** A source as the service answers it, in the draft alone. */
export function source(id: string, name: string, changed: Record<string, unknown> = {}) {
  const text = `All about ${name}.`
  return {
    __typename: 'KnowledgeSource',
    id,
    kind: 'TEXT',
    name,
    state: 'READY',
    reason: null,
    size: text.length,
    characters: text.length,
    passages: 1,
    pages: null,
    encoding: null,
    notes: [] as TestNote[],
    createdAt: '2026-01-01T00:00:00Z',
    inDraft: true,
    inVersions: [] as number[],
    question: null as string | null,
    body: text,
    ...changed,
  }
}

const limits = { maxSources: 200, maxPassages: 10_000, maxBytes: 50 * 1_024 ** 2 }
const pageInfo = { hasNextPage: false, hasPreviousPage: false, endCursor: null as string | null }

/** The fields of an agent that knows nothing. */
export const noKnowledge = {
  knowledgeUse: { sources: 0, passages: 0, bytes: 0, mode: 'NONE', ...limits },
  knowledge: { nodes: [], edges: [], pageInfo },
}

type Input = Record<string, unknown> & { id: string }

/** What an agent knows, newest first. A file waits to be read until the test changes its state: `fields` are the agent's, `answers` those to further questions. */
export function knowledgeService(sources: TestSource[] = [], mode = 'SEARCH') {
  const state = {
    sources,
    calls: [] as [name: string, input: Input][],
    /** What the service makes of a file of answers, as importKnowledgeAnswers returns it. */
    table: (_: Input): object => ({}),
  }
  const find = (id: string) => {
    const found = state.sources.find((one) => one.id === id)
    if (!found) throw refusal('NOT_FOUND', 'There is no such source.')
    return found
  }
  const drop = (id: string) => {
    state.sources = state.sources.filter((one) => one !== find(id))
  }
  const shown = (one: TestSource) => ({
    ...one,
    text: ({ offset = 0, length = 100_000 }) => one.body.slice(offset, offset + length),
  })
  const add = (name: string, changed: Record<string, unknown>) => {
    const body = String(changed.body)
    if (state.sources.some((one) => one.body === body))
      throw refusal('CONFLICT', 'The agent already has this text as “Terms”.')
    const added = source(`s${state.calls.length + 100}`, name, { characters: body.length, ...changed })
    state.sources = [added, ...state.sources]
    return { source: shown(added) }
  }
  const addFile = (name: string) => {
    if (name === 'full.txt') throw refusal('CONFLICT', 'An agent can have 200 texts and files.')
    return add(name, { kind: 'FILE', state: 'WAITING', body: `What ${name} says.` })
  }
  const mutation =
    <T>(name: string, run: (input: Input) => T) =>
    ({ input }: { input: Input }) => {
      state.calls.push([name, { ...input }])
      return run(input)
    }
  const answerOf = ({ questions, answer }: Input) => ({
    kind: 'ANSWER',
    question: (questions as string[]).join('\n'),
    body: `${(questions as string[]).join('\n')}\n\n${answer}`,
  })
  const takeOut = (id: string) => {
    const one = find(id)
    if (one.inVersions.length === 0) drop(id)
    else one.inDraft = false
  }
  const fields = {
    knowledgeUse: () => ({
      ...limits,
      sources: state.sources.length,
      passages: state.sources.length,
      bytes: 2_048,
      mode: state.sources.some((one) => one.inDraft && one.state === 'READY') ? mode : 'NONE',
    }),
    knowledge: ({ first, after }: { first: number; after?: string | null }) => {
      const start = after ? state.sources.findIndex(({ id }) => id === after) + 1 : 0
      const nodes = state.sources.slice(start, start + first).map(shown)
      const hasNextPage = start + nodes.length < state.sources.length
      return { nodes, edges: [], pageInfo: { ...pageInfo, hasNextPage, endCursor: nodes.at(-1)?.id ?? null } }
    },
  }
  const answers = {
    node: ({ id }: { id: string }) => shown(find(id)),
    searchKnowledge: ({ message }: { message: string }) => {
      const words = message.toLowerCase().split(/\W+/)
      return state.sources
        .map((one) => ({ one, words: words.filter((word) => word && one.body.toLowerCase().includes(word)) }))
        .filter((found) => found.words.length > 0)
        .map(({ one, words: own }, at) => ({
          source: shown(one),
          heading: 'Returns > Time limits',
          page: null,
          text: one.body,
          score: 9.44 / (at + 1),
          words: own,
        }))
    },
    addKnowledgeText: mutation('text', ({ name, text }) => add(String(name), { body: text })),
    addKnowledgeAnswer: mutation('answer', (input) => add(String((input.questions as string[])[0]), answerOf(input))),
    importKnowledgeAnswers: mutation('import', (input) => state.table(input)),
    addKnowledgeFile: mutation('file', ({ name }) => addFile(String(name))),
    retryKnowledgeSource: mutation('retry', ({ id }) => {
      Object.assign(find(id), { state: 'WAITING', reason: null, notes: [] })
      return { source: shown(find(id)) }
    }),
    replaceKnowledgeSource: mutation('replace', (input) => {
      const old = find(input.id)
      if (old.kind === 'FILE') return addFile(String(input.name))
      takeOut(input.id)
      const changed = old.kind === 'ANSWER' ? answerOf(input) : { body: input.text }
      return add(String(input.name ?? (input.questions as string[])[0]), changed)
    }),
    removeKnowledgeSource: mutation('remove', ({ id }) => {
      takeOut(id)
      return { agent: { id: 'a1' } }
    }),
    deleteKnowledgeSource: mutation('delete', ({ id }) => {
      drop(id)
      return { deletedKnowledgeSourceId: id }
    }),
    deleteUnusedKnowledge: mutation('unused', () => {
      const deleted = state.sources.filter(({ inDraft }) => !inDraft).length
      state.sources = state.sources.filter(({ inDraft }) => inDraft)
      return { agent: { id: 'a1' }, deleted }
    }),
  }
  return { state, fields, answers }
}
