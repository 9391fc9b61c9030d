import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { gql } from '@/shared/gql'
import { CreateApiExportDocument, refreshExports } from './queries'

/** A visible key, and the export it belongs to. */
export type ShownKey = { apiKey: string; exportName: string }

type Wanted = { name?: string; rateLimitPerMinute?: number; version?: number | null }

/**
 * Creates exports of one agent. The new key stays in this component's state until `forget`: it is never in the query cache, the
 * mutation cache or storage.
 */
export function useCreateExport(agentId: string) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<ShownKey>()
  const creation = useMutation({
    // Returns nothing, so that the key does not get into the mutation cache.
    mutationFn: async ({ name, rateLimitPerMinute, version }: Wanted) => {
      const { createApiExport } = await gql(CreateApiExportDocument, {
        input: { agentId, name: name || undefined, rateLimitPerMinute, version },
      })
      setShown({ apiKey: createApiExport.apiKey, exportName: createApiExport.export.name })
    },
    // After a failure too: the answer may have been lost after the export was created.
    onSettled: () => refreshExports(queryClient),
  })
  const { isPending: pending, error, reset: clearError } = creation

  // Leaving before the answer would lose the key. An expired session leads to the sign-in page all the same.
  useBlocker({
    shouldBlockFn: ({ next }) => next.pathname !== '/login',
    disabled: !pending,
    enableBeforeUnload: pending,
  })

  const create = (wanted: Wanted, onCreated: () => void) => {
    if (!pending && !shown) creation.mutate(wanted, { onSuccess: onCreated })
  }
  return { shown, pending, error, create, forget: () => setShown(undefined), clearError }
}
