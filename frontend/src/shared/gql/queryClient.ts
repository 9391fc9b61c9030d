import { QueryClient } from '@tanstack/react-query'
import { isPassing } from './errors'

const maxRetries = 2
/** How often a query that failed because the service was away is tried again while its page is shown. */
const recoverMs = 5_000

/** Queries are retried when the failure may pass; mutations never are. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
        retryDelay: (attempt) => Math.min(300 * 2 ** attempt, 3_000) * (0.75 + Math.random() / 2),
        refetchInterval: (query) =>
          query.state.status === 'error' && isPassing(query.state.error) ? recoverMs : false,
        throwOnError: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
