import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  defaultFieldResolver,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFieldResolver,
  graphql,
  parse,
  subscribe,
} from 'graphql'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

const folder = join(process.cwd(), '../graph/schema')

/** The service's own schema, which every test answer must match. */
export const schema = buildSchema(
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphqls'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n'),
)

/** The mock network of the unit tests. Unexpected requests fail. */
export const server = setupServer()

export type Seen = { authorization: string | null; requestId: string | null; account: string | null }

type Resolvers = Record<string, unknown>

/**
 * Answers /graphql by executing the schema, so that queries and resolvers must match it. A resolver is a value, or a function
 * of the arguments and the request's headers, which throws a `refusal` to refuse. A subscription's resolver is an async
 * generator, whose values are sent as events. Answers have the headers, too.
 */
export function answer(resolvers: Resolvers, headers: Record<string, string> = {}) {
  server.use(
    http.post('*/graphql', async ({ request }) => {
      const { query, variables } = (await request.json()) as { query: string; variables?: Record<string, unknown> }
      const seen: Seen = {
        authorization: request.headers.get('Authorization'),
        requestId: request.headers.get('X-Request-Id'),
        account: request.headers.get('X-Account-Id'),
      }
      const args = { schema, rootValue: resolvers, contextValue: seen, variableValues: variables, fieldResolver }
      if (request.headers.get('Accept') === 'text/event-stream') {
        const results = await subscribe({ ...args, document: parse(query) })
        return new HttpResponse(eventsOf(Symbol.asyncIterator in results ? results : once(results)), {
          headers: { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'from-the-server' },
        })
      }
      const result: ExecutionResult = await graphql({ ...args, source: query })
      const unauthenticated = result.errors?.some(
        ({ extensions, path }) => extensions.code === 'UNAUTHENTICATED' && path,
      )
      return HttpResponse.json(JSON.parse(JSON.stringify(result)), {
        status: unauthenticated && !query.includes('RenewAccess') ? 401 : 200,
        headers: { 'X-Request-Id': 'from-the-server', ...headers },
      })
    }),
  )
}

/** What the panel asks on every page, where a test says nothing of it. */
const usual: Record<string, unknown> = {
  'Query.me': {},
  'Query.viewer': {},
  'Query.serviceInfo': {},
  'User.id': 'u1',
  'User.name': 'Ada',
  'User.email': 'ada@example.com',
  'User.memberships': [],
  'User.secondFactor': false,
  'Account.id': '1',
  'Account.name': 'Ada',
  'Account.creditBalance': 9,
  'Account.creditsHeld': 0,
  'Account.creditsAvailable': 9,
  'Account.viewerRole': 'OWNER',
  'Account.rejectedRequestDays': 7,
  'ServiceInfo.signUpOpen': true,
  'ServiceInfo.startingCredits': 0,
  'Turn.ratings': [],
  'AgentVersion.ratings': { up: 0, down: 0 },
}

const fieldResolver: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const given = defaultFieldResolver(source, args, context, info)
  return given === undefined ? usual[`${info.parentType.name}.${info.fieldName}`] : given
}

async function* once(result: ExecutionResult) {
  yield result
}

/** A subscription's results as the service sends them: each as `next`, then `complete`. */
function eventsOf(results: AsyncGenerator<ExecutionResult, unknown, unknown>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.encode(':\n\n')),
    pull: async (controller) => {
      const { value, done } = await results.next().catch((error: unknown) => {
        if (!(error instanceof GraphQLError)) throw error // breaks the connection
        return { value: { errors: [error] }, done: false }
      })
      const event = done ? 'event: complete\ndata:\n\n' : `event: next\ndata: ${JSON.stringify(value)}\n\n`
      controller.enqueue(bytes.encode(event))
      if (done) controller.close()
    },
    cancel: async () => {
      await results.return(undefined)
    },
  })
}

/** An error as the service sends it. */
export function refusal(code: string, message: string, extensions: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, requestId: 'req-1', ...extensions } })
}

/** A time some minutes from now, as the service formats it. One in the past is some seconds older: the panel's clock ticks every half minute. */
export function inMinutes(minutes: number): string {
  const past = minutes < 0 ? 20_000 : 0
  return new Date(Date.now() + minutes * 60_000 - past).toISOString()
}
