import { TypedDocumentString } from '@/gql/graphql'
import { serverNow } from '@/shared/time/clock'
import { type ApiErrorCode, hasCode } from './errors'
import { type Answer, type Body, dataIn, exchange, type PostOptions, post, type Sender } from './post'

/** A query that waits for those that are sent at the same moment. */
type Query = {
  document: TypedDocumentString<unknown, unknown>
  variables: Record<string, unknown>
  /** Its name, variables and fields, and the fragments that it needs. */
  parts: string[]
  options: PostOptions & { sender: Sender }
  resolve: (answer: Answer<unknown>) => void
  reject: (error: unknown) => void
}

/** A query as the code generation prints it: each field at its root begins a line. Fragments with variables cannot be shared. */
const printed = /^\s*query (\w+)(?:\((.*)\))? \{\n([\s\S]*?)\n\}([^$]*)$/
const rootField = /^ {2}(\w+)(: \w+)?/gm

/** The codes by which the service refuses a document because of one of its fields. */
const refusedForOne: ApiErrorCode[] = ['FORBIDDEN', 'LIMIT_EXCEEDED', 'SECOND_FACTOR_REQUIRED', 'BAD_USER_INPUT']

const queues = new Map<string, Query[]>()

let released = Promise.resolve()
let release = () => {}

/** Holds queries until the first page is there, so that it asks for all that it shows in one document. */
export function holdQueries() {
  released = new Promise((resolve) => {
    release = resolve
  })
}

export const releaseQueries = () => release()

/** Sends an operation as post does, but queries of the same moment in one document. */
export function postTogether<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables | undefined,
  options: PostOptions & { sender: Sender },
): Promise<Answer<Result>> {
  const [, ...parts] = printed.exec(document.toString()) ?? []
  if (parts.length === 0 || options.timeoutMs) return post(document, variables, options)
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted()
    options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    const query = { document, variables: variables ?? {}, parts, options, resolve, reject } as Query
    const { token, account } = options.sender
    const key = `${token} ${account}`
    const queue = queues.get(key)
    if (queue) return void queue.push(query)
    queues.set(key, [query])
    void released.then(() => setTimeout(sendQueue, 0, key))
  })
}

function sendQueue(key: string) {
  const queries = (queues.get(key) ?? []).filter(({ options }) => !options.signal?.aborted)
  queues.delete(key)
  void (queries.length > 1 ? send(queries) : sendEach(queries))
}

/** Sends queries one after the other: the first page asks first who is signed in, which its other parts go by. */
async function sendEach(queries: Query[]) {
  for (const { document, variables, options, resolve, reject } of queries) {
    await post(document, variables, options).then(resolve, reject)
  }
}

async function send(queries: Query[]) {
  const options = { sender: (queries[0] as Query).options.sender, signal: abortedByAll(queries) }
  try {
    const { body, of } = await exchange(documentOf(queries), variablesOf(queries), options)
    const own = queries.map((_, at) => bodyOf(body, at))
    if (own.every((part) => part === undefined)) dataIn(body, of) // throws what refused all
    for (const [at, query] of queries.entries()) {
      const part = own[at]
      if (part) void answer(query, async () => dataIn(part, { ...of, status: 200 }))
    }
    await sendEach(queries.filter((_, at) => !own[at])) // others left them without data
  } catch (error) {
    if (hasCode(error, ...refusedForOne)) await sendEach(queries)
    else for (const { reject } of queries) reject(error)
  }
}

const answer = ({ resolve, reject }: Query, read: () => Promise<unknown>) =>
  read().then((data) => resolve({ data, serverTime: serverNow() } as Answer<unknown>), reject)

const prefix = (at: number) => `q${at}_`

function documentOf(queries: Query[]) {
  const fragments = new Set<string>()
  const parts = queries.map(({ parts: [name, variables = '', fields = '', more = ''] }, at) => {
    for (const fragment of more.split(/^\s*(?=fragment )/m)) fragments.add(fragment.trim())
    const own = (text: string) => text.replace(/\$(?=\w)/g, () => `$${prefix(at)}`)
    const named = (_: string, name: string, field = `: ${name}`) => `  ${prefix(at)}${name}${field}`
    return { name, variables: own(variables), fields: own(fields).replace(rootField, named) }
  })
  const names = parts.map(({ name }) => name).join('_')
  const variables = parts.flatMap((part) => part.variables || []).join(', ')
  const fields = parts.map((part) => part.fields).join('\n')
  return new TypedDocumentString<unknown, object>(
    `query ${names}${variables && `(${variables})`} {\n${fields}\n}\n${[...fragments].join('\n')}`,
  )
}

const variablesOf = (queries: Query[]) =>
  Object.fromEntries(
    queries.flatMap(({ variables }, at) =>
      Object.entries(variables).map(([name, value]) => [`${prefix(at)}${name}`, value]),
    ),
  )

/** What of a response belongs to one of the queries; undefined if it has neither data nor an error. */
function bodyOf(body: Body, at: number): Body | undefined {
  const isOwn = (name: unknown) => String(name).startsWith(prefix(at))
  const errors = body?.errors?.filter(({ path }) => isOwn(path?.[0])) ?? []
  if (!body?.data && errors.length === 0) return undefined
  const own = Object.entries(body?.data ?? {}).filter(([name]) => isOwn(name))
  return { data: Object.fromEntries(own.map(([name, value]) => [name.slice(prefix(at).length), value])), errors }
}

/** Aborted once the readers of all queries have left. */
function abortedByAll(queries: Query[]): AbortSignal {
  const all = new AbortController()
  let left = queries.length
  for (const { options } of queries) {
    options.signal?.addEventListener('abort', () => {
      if (--left === 0) all.abort()
    })
  }
  return all.signal
}
