import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { type Export, exportQuery } from './queries'

/** How often a dialog refreshes when a key was last used. */
const watchMs = 5_000

/** When an export, or one key of it, was last used. Refetched, because the page behind may be old. */
export function LastUse({ row, keyId }: { row: Export; keyId?: string }) {
  const { t } = useTranslation('exports')
  const { data = row } = useQuery({ ...exportQuery(row.id), staleTime: 0, refetchInterval: watchMs })
  const key = keyId && [...data.keys, ...row.keys].find(({ id }) => id === keyId)
  const { lastUsedAt } = key || data
  return (
    <Text>
      {lastUsedAt && `${t('lastUsed')}:`} <RelativeTime time={lastUsedAt} none={t('notUsed')} />
    </Text>
  )
}
