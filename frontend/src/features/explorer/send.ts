import { Kind, OperationTypeNode, parse, print, separateOperations } from 'graphql'
import type { TypedDocumentString } from '@/gql/graphql'
import { ApiError, newRequestId, session, toApiError } from '@/shared/gql'
import { subscribe } from '@/shared/gql/subscribe'
import { errorText } from '@/shared/ui'

export type Params = { query: string; operationName?: string | null; variables?: unknown }

type GraphQLError = { message: string; extensions?: Record<string, unknown> }

/** A raw answer: the explorer shows data and errors as they are. */
export type Result = { data?: unknown; errors?: GraphQLError[] }

/**
 * Sends one operation as the signed-in account. A rejected token is renewed once, as in the panel; any other failure becomes
 * an answer with an error. The timeout is the service's own, because test messages take long.
 */
export async function send(params: Params, signal: AbortSignal): Promise<Result> {
  try {
    const token = await session.token()
    const result = await post(params, token, signal)
    if (!isRefused(result)) return result
    return await post(params, await session.token(token), signal)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return failed(thrown)
  }
}

/** The same timeout as callers of the public API should use. */
const streamMs = 100_000

/** Sends one subscription and yields its events. A failure becomes an event with an error. */
export async function* follow(params: Params, signal: AbortSignal): AsyncGenerator<Result> {
  try {
    const document = { toString: () => chosen(params) } as TypedDocumentString<unknown, unknown>
    for await (const data of subscribe(document, params.variables, { signal, timeoutMs: streamMs })) yield { data }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    yield failed(thrown)
  }
}

function failed(thrown: unknown): Result {
  const error = toApiError(thrown)
  return { errors: [{ message: errorText(error), extensions: { code: error.code, requestId: error.requestId } }] }
}

/** Whether the operation to run is a subscription. */
export function isSubscription({ query, operationName }: Params): boolean {
  try {
    const operations = parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    const run = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
    return run?.operation === OperationTypeNode.SUBSCRIPTION
  } catch {
    return false // the service says what is wrong with the document
  }
}

/** The document reduced to the operation to run and the fragments it needs. */
function chosen({ query, operationName }: Params): string {
  const separate = separateOperations(parse(query))
  const run = separate[operationName ?? ''] ?? Object.values(separate)[0]
  return run ? print(run) : query
}

async function post({ query, operationName, variables }: Params, token: string, signal: AbortSignal): Promise<Result> {
  const requestId = newRequestId()
  let response: Response
  try {
    response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Request-Id': requestId },
      body: JSON.stringify({ query, operationName: named(query, operationName), variables }),
      credentials: 'same-origin',
      signal,
    })
  } catch (cause) {
    throw new ApiError('NETWORK', '', { requestId, cause })
  }
  // These fields change the account of the cookie, so the token in memory may belong to another account.
  if (/\b(signIn|signUp|signOut)\b/.test(query)) session.forget()
  return read(response, requestId)
}

async function read(response: Response, requestId: string): Promise<Result> {
  try {
    const result: Result | null = await response.json()
    if (result && ('data' in result || 'errors' in result)) return result
  } catch {
    // For example, a proxy's error page.
  }
  throw new ApiError(response.status >= 500 ? 'UNAVAILABLE' : 'BAD_ANSWER', '', { requestId })
}

function isRefused(result: Result): boolean {
  return result.errors?.[0]?.extensions?.code === 'UNAUTHENTICATED'
}

/** The operation to run, if the document has it: just after an edit GraphiQL may still name the previous one. */
function named(query: string, name: string | null | undefined): string | undefined {
  if (!name) return undefined
  try {
    const operations = parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    return operations.some((operation) => operation.name?.value === name) ? name : undefined
  } catch {
    return undefined // the service says what is wrong with the document
  }
}
