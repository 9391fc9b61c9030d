import { Badge } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ExportState } from '@/gql/graphql'

/** Whether an export's key is accepted, by word, icon and colour. */
export function ExportStateBadge({ state }: { state: ExportState }) {
  const { t } = useTranslation('exports')
  const active = state === 'ACTIVE'
  const Icon = active ? IconCircleCheck : IconCircleX
  return (
    <Badge miw="max-content" color={active ? 'green' : 'gray'} leftSection={<Icon size={14} aria-hidden />}>
      {t(active ? 'active' : 'removed')}
    </Badge>
  )
}
