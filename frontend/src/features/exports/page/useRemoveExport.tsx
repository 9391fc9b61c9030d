import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone } from '@/shared/ui'
import { refreshExports } from '../queries'
import { LastUse } from './LastUse'
import { applyToExport, type Export, RemoveApiExportDocument } from './queries'

/** Removes an export after a confirmation that shows when it was last used. The page changes when the answer arrives. */
export function useRemoveExport() {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  return (row: Export) =>
    confirm({
      title: t('removeTitle', { name: row.name }),
      body: (
        <Stack gap="xs">
          <LastUse row={row} />
          <Text>{t('removeText', { count: row.keys.length })}</Text>
        </Stack>
      ),
      confirmLabel: t('removeExport'),
      danger: true,
      onConfirm: async () => {
        const { removeApiExport } = await gql(RemoveApiExportDocument, { input: { id: row.id } })
        applyToExport(queryClient, removeApiExport.export)
        refreshExports(queryClient)
        void notifyDone(t('removedDone', { name: row.name }))
      },
    })
}
