import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { gql } from '@/shared/gql'
import { CreateApiExportDocument, refreshExports } from './queries'

/** A key on show, and what it belongs to. */
export type ShownKey = { apiKey: string; exportName: string }

type Wanted = { name?: string; rateLimitPerMinute?: number }

/**
 * Creates exports of one agent. The key of the answer is in this component's state until `forget`: not in the query cache, not
 * in the mutation cache, not in storage.
 */
export function useCreateExport(agentId: string) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<ShownKey>()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()

  // Whoever leaves before the answer would never see the key. A session that has run out leads to signing in all the same.
  useBlocker({
    shouldBlockFn: ({ next }) => next.pathname !== '/login',
    disabled: !pending,
    enableBeforeUnload: pending,
  })

  /** Resolves to whether it was created; never rejects. */
  const create = async ({ name, rateLimitPerMinute }: Wanted): Promise<boolean> => {
    if (pending || shown) return false
    setPending(true)
    setError(undefined)
    try {
      const { createApiExport } = await gql(CreateApiExportDocument, {
        input: { agentId, name: name || undefined, rateLimitPerMinute },
      })
      setShown({ apiKey: createApiExport.apiKey, exportName: createApiExport.export.name })
      return true
    } catch (thrown) {
      setError(thrown)
      return false
    } finally {
      setPending(false)
      // After a failure too: an answer that was lost may have left an export.
      refreshExports(queryClient)
    }
  }
  return { shown, pending, error, create, forget: () => setShown(undefined), clearError: () => setError(undefined) }
}
