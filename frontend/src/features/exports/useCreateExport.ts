import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import type { CreateApiExportInput } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { serverNow } from '@/shared/time'
import { type AgentExport, CreateApiExportDocument, refreshExports } from './queries'

/** A visible key, and the export it belongs to. */
export type ShownKey = { apiKey: string; exportName: string }

type Wanted = Omit<CreateApiExportInput, 'agentId'>

/** The settings that an export passes on to the one that replaces it. An expiry in the past would be refused. */
export function settingsOf(row: AgentExport): Wanted {
  const { name, rateLimitPerMinute, version, expiresAt } = row
  const { dailyCreditLimit, monthlyCreditLimit, requireUserId, userDailyMessageLimit } = row
  return {
    name,
    rateLimitPerMinute,
    version,
    expiresAt: expiresAt && Date.parse(expiresAt) > serverNow() ? expiresAt : null,
    dailyCreditLimit,
    monthlyCreditLimit,
    requireUserId,
    userDailyMessageLimit,
  }
}

/**
 * Creates exports of one agent. The new key stays in this component's state until `forget`: it is never in the query cache, the
 * mutation cache or storage.
 */
export function useCreateExport(agentId: string) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<ShownKey>()
  const creation = useMutation({
    // Returns the ID only, so that the key does not get into the mutation cache.
    mutationFn: async ({ name, ...settings }: Wanted) => {
      const { createApiExport } = await gql(CreateApiExportDocument, {
        input: { ...settings, agentId, name: name || undefined },
      })
      setShown({ apiKey: createApiExport.apiKey, exportName: createApiExport.export.name })
      return createApiExport.export.id
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

  const create = (wanted: Wanted, onCreated: (id: string) => void) => {
    if (!pending && !shown) creation.mutate(wanted, { onSuccess: onCreated })
  }
  return { shown, pending, error, create, forget: () => setShown(undefined), clearError }
}
