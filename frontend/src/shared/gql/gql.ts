import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import type { TypedDocumentString } from '@/gql/graphql'
import { accountId, leaveAccount } from './account'
import { ApiError, hasCode } from './errors'
import { type Answer, type PostOptions, post, type Sender, type Whole } from './post'
import { session } from './session'
import { postTogether } from './together'

const MembershipsDocument = graphql(`
  query Memberships {
    me {
      id
      memberships {
        account {
          accountId
        }
      }
    }
  }
`)

/**
 * Sends one operation as the signed-in account and returns its data. An expired or rejected token is renewed once, and what needs a
 * recent password is sent once more when it was given; nothing else is retried here. Every failure is an ApiError.
 */
export async function gql<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables?: Variables,
  options: PostOptions = {},
): Promise<Whole<Result>> {
  const send = () => asSignedIn((sender) => postTogether(document, variables, { ...options, sender }), options)
  try {
    return (await send()).data
  } catch (error) {
    if (!hasCode(error, 'REAUTHENTICATION_REQUIRED') || !(await confirmed())) throw error
  }
  return (await send()).data // the refused one had no effect
}

/** Asks for the password. Resolves when it was confirmed, or with false when the reader would not. */
type Ask = () => Promise<boolean>

let ask: Ask = async () => false
let asking: Promise<boolean> | undefined

/** Sets what asks for the password. */
export function onReauthentication(how: Ask) {
  ask = how
}

/** Whether the password was given. All requests that need it meanwhile wait for one answer. */
function confirmed(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

/**
 * Sends a request of the signed-in user about this tab's account, or of the user alone, and once more with a renewed token if the server rejects the first.
 * A tab whose account the user is no member of any more begins anew in another one.
 */
export async function asSignedIn<T>(
  send: (sender: Sender) => Promise<T>,
  { ofUser = false }: { ofUser?: boolean } = {},
): Promise<T> {
  const account = ofUser ? undefined : accountId()
  try {
    return await withToken((token) => send({ token, account }))
  } catch (error) {
    const user = account && hasCode(error, 'FORBIDDEN') && (await lostBy(account))
    if (user) leaveAccount(user)
    throw error
  }
}

async function withToken<T>(send: (token: string) => Promise<T>): Promise<T> {
  const token = await session.token()
  try {
    return await send(token)
  } catch (error) {
    if (!hasCode(error, 'UNAUTHENTICATED')) throw error
  }
  // The rejected request had no effect, so this is safe for mutations too.
  return send(await session.token(token))
}

let looking: Promise<string | undefined> | undefined

/** The user who is signed in, if no member of the account: a role that is too low is refused with the same code. */
function lostBy(account: string): Promise<string | undefined> {
  looking ??= withToken((token) => post(MembershipsDocument, undefined, { sender: { token } }))
    .then(
      ({ data: { me } }) => (me.memberships.some((one) => one.account.accountId === account) ? undefined : me.id),
      () => undefined, // it will show with the next request
    )
    .finally(() => {
      looking = undefined
    })
  return looking
}

/** Sends one operation that needs no sign-in: signIn, signUp, signOut, serviceInfo. */
export function anonymousGql<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables?: Variables,
  options: PostOptions = {},
): Promise<Answer<Result>> {
  return post(document, variables, options)
}

/**
 * The query options of one GraphQL query: `useQuery(gqlQuery('agents', AgentsDocument, { first: 20 }))`. The key is
 * `[key, variables]`, so `invalidateQueries({ queryKey: [key] })` reaches all its variants.
 */
export function gqlQuery<Result, Variables>(
  key: string,
  document: TypedDocumentString<Result, Variables>,
  variables?: Variables,
) {
  return queryOptions<Whole<Result>, ApiError, Whole<Result>, readonly [string, (Variables | undefined)?]>({
    queryKey: variables === undefined ? [key] : [key, variables],
    queryFn: ({ signal }) => gql(document, variables, { signal }),
  })
}

/** The messages of browsers, and of Vite's preloader, when a chunk of the panel could not be fetched. */
const partMissing = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

/** Whether a file of the panel could not be fetched. */
export const isPartMissing = (error: unknown) => error instanceof Error && partMissing.test(error.message)

/** Converts anything thrown to an ApiError, so that it can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isPartMissing(error)) {
    return new ApiError('NETWORK', '', { requestId: '', cause: error })
  }
  return new ApiError('INTERNAL', error instanceof Error ? error.message : String(error), {
    requestId: '',
    cause: error,
  })
}

type Paged = { pageInfo: { hasNextPage: boolean; endCursor?: string | null } }

/**
 * The options of a list that grows page by page: `useInfiniteQuery(gqlPages('agents', AgentsDocument, { filter }, (d) => d.agents))`.
 * The document takes `$after`; `connection` finds the page in the answer. `<ShowMore query={...}>` around the list loads the next one.
 */
export function gqlPages<Result, Variables extends { after?: string | null }>(
  key: string,
  document: TypedDocumentString<Result, Variables>,
  variables: Omit<Variables, 'after'>,
  connection: (result: Whole<Result>) => Paged,
) {
  return infiniteQueryOptions<Whole<Result>, ApiError, InfiniteData<Whole<Result>>, readonly unknown[], string | null>({
    queryKey: [key, 'pages', variables],
    queryFn: ({ pageParam, signal }) => gql(document, { ...variables, after: pageParam } as Variables, { signal }),
    initialPageParam: null,
    getNextPageParam: (last) => {
      const { hasNextPage, endCursor } = connection(last).pageInfo
      return hasNextPage ? endCursor : undefined
    },
  })
}
