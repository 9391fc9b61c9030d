// What the tests of the clients share. AGENTCHAT_URL names a running service, and AGENTCHAT_ACCESS_TOKEN who is signed in.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

export const url = `${process.env.AGENTCHAT_URL}/graphql`
export const headers = { Authorization: `Bearer ${process.env.AGENTCHAT_ACCESS_TOKEN}` }

export const viewerQuery = 'query Viewer { viewer { id name } }'
export const missingQuery = 'query Missing($id: ID!) { viewer { id } agent(id: $id) { id } }'
export const pageQuery = `query Page($name: String!, $after: String) {
  agents(first: 1, after: $after, filter: { search: $name }) {
    nodes { id name }
    pageInfo { hasNextPage endCursor }
  }
}`
export const createMutation = `mutation Create($input: CreateAgentInput!) {
  createAgent(input: $input) { agent { id name } }
}`
export const uploadMutation = `mutation Upload($input: AddKnowledgeFileInput!) {
  addKnowledgeFile(input: $input) { source { id name } }
}`
export const messageSubscription = `subscription Message($input: SendTestMessageInput!) {
  testMessage(input: $input) { ... on TestMessageDelta { text } ... on TestMessageEnded { turn { id reply } } }
}`

export type Viewer = { viewer: { id: string; name: string } }
export type Missing = { viewer: { id: string }; agent: { id: string } | null }
type PageInfo = { hasNextPage: boolean; endCursor: string }
export type Page = { agents: { nodes: { id: string; name: string }[]; pageInfo: PageInfo } }
export type Created = { createAgent: { agent: { id: string; name: string } } }
export type Uploaded = { addKnowledgeFile: { source: { id: string; name: string } } }
export type Message = { testMessage: { text?: string; turn?: { id: string; reply: string } } }

export const unknown = { id: '00000000-0000-7000-8000-000000000000' }
/** Two agents of one name, which no other test uses. */
export function twoAgents(name: string) {
  const input = { name: `${name} ${randomUUID()}`, instructions: 'Be brief.', model: 'sandbox/free' }
  return [{ input }, { input: { ...input, name: `${input.name}!` } }] as const
}

export const file = () => new File(['We take parcels back for 30 days.'], 'returns.txt', { type: 'text/plain' })
export const fileInput = (agentId: string, content: unknown) => ({ input: { agentId, name: 'returns.txt', file: content } })

/** A message whose reply comes in many pieces. */
export const messageInput = (agentId: string) => ({
  input: { agentId, message: '[[sandbox words=30 pace=20ms]]', idempotencyKey: randomUUID() },
})

/** A reply comes piece by piece, and whole at its end. */
export function checkReply(messages: (Message | null | undefined)[]) {
  const events = messages.map((message) => message?.testMessage)
  const pieces = events.flatMap((event) => event?.text ?? [])
  assert(pieces.length > 1, `${pieces.length} pieces`)
  assert.equal(events.at(-1)?.turn?.reply, pieces.join(''))
}

type Sink<Result> = { next: (result: Result) => void; error: (error: unknown) => void; complete: () => void }

/** Everything that a subscription brings until its end. */
export function collected<Result>(subscribe: (sink: Sink<Result>) => unknown): Promise<Result[]> {
  const results: Result[] = []
  return new Promise((resolve, reject) => {
    const next = (result: Result) => void results.push(result)
    subscribe({ next, error: reject, complete: () => resolve(results) })
  })
}

/** fetch, and the requests that were sent with it. */
export function recorded() {
  const sent: { method: string; query: string | null }[] = []
  const record: typeof fetch = (input, init) => {
    sent.push({ method: init?.method ?? 'GET', query: new URL(String(input)).searchParams.get('query') })
    return fetch(input, init)
  }
  return { sent, fetch: record }
}
