import { gql } from '@/shared/gql'
import { useNewKey } from '@/shared/ui'
import { CreateApiExportDocument, refreshExports } from '../queries'

export type NewExport = { agentId: string; name: string }

/** Creates an export, whose key stays in the component's state. */
export const useCreateExport = () =>
  useNewKey(async ({ agentId, name }: NewExport) => {
    const { createApiExport } = await gql(CreateApiExportDocument, { input: { agentId, name: name || undefined } })
    const { apiKey, export: made } = createApiExport
    return { apiKey, exportName: made.name, id: made.id }
  }, refreshExports)

export type Creation = ReturnType<typeof useCreateExport>
