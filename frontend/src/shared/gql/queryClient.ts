import { QueryClient } from '@tanstack/react-query'
import { hasCode, isPassing } from './errors'

const maxRetries = 2
/** How often a query is retried while the service is unavailable and the page is shown. */
const recoverMs = 5_000

/** How often what others may change is read again while the page is shown: a slow answer still shows it within five seconds. */
export const followMs = 3_000
const slowFollowMs = 30_000

/** The same for what seldom changes. */
export const followSlowly = ({ state }: { state: { status: string } }) =>
  state.status === 'error' ? recoverMs : slowFollowMs

/** The same for lists: only while the first page is on show, so that rows do not move under the reader. */
export const followFirstPage = ({ state }: { state: { data?: { pages: unknown[] } } }) =>
  state.data && state.data.pages.length > 1 ? false : followMs

/** Queries are retried after temporary failures, mutations never. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // After a timeout of 30 s the reader has waited long enough.
        retry: (failures, error) => failures < maxRetries && isPassing(error) && !hasCode(error, 'TIMEOUT'),
        retryDelay: (attempt) => Math.min(300 * 2 ** attempt, 3_000) * (0.75 + Math.random() / 2),
        refetchInterval: (query) =>
          query.state.status === 'error' && isPassing(query.state.error) ? recoverMs : false,
        throwOnError: false,
        networkMode: 'always',
      },
      // Passwords and keys pass through mutations: none is kept once its component has gone.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  })
}
