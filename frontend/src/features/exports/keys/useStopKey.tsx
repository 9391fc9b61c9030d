import { Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { confirm, notifyDone } from '@/shared/ui'
import { LastUse } from '../page/LastUse'
import { applyToExport, type Export, type Key, StopApiKeyDocument } from '../page/queries'
import { refreshExports } from '../queries'

/** Ends one of an export's two keys after a confirmation that says which one stays. */
export function useStopKey(row: Export) {
  const { t } = useTranslation('exports')
  const queryClient = useQueryClient()
  return (key: Key, name: 'new' | 'old', other: Key, onStopped: () => void) =>
    confirm({
      title: t(`endTitle.${name}`),
      body: (
        <Stack gap="xs">
          <LastUse row={row} keyId={key.id} />
          <Text>{t('endText')}</Text>
          <Text>{t(other.stopsAt ? 'endKeepsOld' : 'endKeeps')}</Text>
        </Stack>
      ),
      confirmLabel: t('endKey'),
      danger: true,
      onConfirm: async () => {
        const { stopApiKey } = await gql(StopApiKeyDocument, { input: { keyId: key.id } })
        onStopped()
        applyToExport(queryClient, stopApiKey.export)
        refreshExports(queryClient)
        void notifyDone(t('endedDone'))
      },
    })
}
