import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type ExecutionResult, GraphQLError, graphql } from 'graphql'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

const folder = join(process.cwd(), '../graph/schema')

/** The service's own schema: a test's answers are checked against it. */
export const schema = buildSchema(
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphqls'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n'),
)

/** The network of the unit tests. A request that no test expects fails. */
export const server = setupServer()

export type Seen = { authorization: string | null; requestId: string | null }

type Resolvers = Record<string, unknown>

/**
 * Answers /graphql by the schema: what it asks for and what the resolvers return must fit it. A resolver is a value or a
 * function of its arguments and of what was seen of the request; it throws a `refusal` to refuse.
 */
export function answer(resolvers: Resolvers) {
  server.use(
    http.post('*/graphql', async ({ request }) => {
      const { query, variables } = (await request.json()) as { query: string; variables?: Record<string, unknown> }
      const seen: Seen = {
        authorization: request.headers.get('Authorization'),
        requestId: request.headers.get('X-Request-Id'),
      }
      const result: ExecutionResult = await graphql({
        schema,
        source: query,
        rootValue: resolvers,
        contextValue: seen,
        variableValues: variables,
      })
      const unauthenticated = result.errors?.some(
        ({ extensions, path }) => extensions.code === 'UNAUTHENTICATED' && path,
      )
      return HttpResponse.json(JSON.parse(JSON.stringify(result)), {
        status: unauthenticated && !query.includes('RenewAccess') ? 401 : 200,
        headers: { 'X-Request-Id': 'from-the-server' },
      })
    }),
  )
}

/** An error as the service words it. */
export function refusal(code: string, message: string, extensions: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, requestId: 'req-1', ...extensions } })
}

/** A moment some minutes from now, as the service writes it. */
export function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString()
}
