import { QueryClient } from '@tanstack/react-query'
import { hasCode, isPassing } from './errors'

const maxRetries = 2
/** How often a query that failed because the service was away is tried again while its page is shown. */
const recoverMs = 5_000

/** Queries are retried when the failure may pass; mutations never are. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // One that had no answer in 30 s has kept the reader waiting long enough.
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
