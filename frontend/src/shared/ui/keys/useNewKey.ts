import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

/** A visible key, and the export it belongs to; or an account token with its name, or a webhook's secret with its URL. */
export type ShownKey = { apiKey: string; exportName: string }

/**
 * Makes a key, with a new export or for an existing one, an account token, or a webhook's secret. It stays in this component's state until `forget`: it is never in
 * the query cache, the mutation cache or storage.
 */
export function useNewKey<Wanted, Made extends ShownKey>(
  make: (wanted: Wanted) => Promise<Made>,
  refresh: (queryClient: QueryClient) => unknown,
) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<Made>()
  const creation = useMutation({
    // Returns nothing, so that the key does not get into the mutation cache.
    mutationFn: async (wanted: Wanted) => setShown(await make(wanted)),
    // After a failure too: the answer may have been lost after the key was made.
    onSettled: () => refresh(queryClient),
  })
  const { isPending: pending, error, reset: clearError } = creation

  // Leaving before the answer would lose the key. An expired session leads to the sign-in page all the same.
  useBlocker({
    shouldBlockFn: ({ next }) => next.pathname !== '/login',
    disabled: !pending,
    enableBeforeUnload: pending,
  })

  const create = async (wanted: Wanted) => {
    if (!pending && !shown) await creation.mutateAsync(wanted)
  }
  return { shown, pending, error, create, forget: () => setShown(undefined), clearError }
}
