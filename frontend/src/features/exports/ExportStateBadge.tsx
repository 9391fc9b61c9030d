import { Badge } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconClockX, IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ExportState } from '@/gql/graphql'

const looks = {
  ACTIVE: { icon: IconCircleCheck, color: 'green' },
  PAUSED: { icon: IconPlayerPause, color: 'yellow' },
  EXPIRED: { icon: IconClockX, color: 'yellow' },
  REMOVED: { icon: IconCircleX, color: 'gray' },
} satisfies Record<ExportState, unknown>

/** Whether an export's key is accepted, by word, icon and colour. */
export function ExportStateBadge({ state }: { state: ExportState }) {
  const { t } = useTranslation('exports')
  const { icon: Icon, color } = looks[state]
  return (
    <Badge component="span" miw="max-content" color={color} leftSection={<Icon size={14} aria-hidden />}>
      {t(`stateOf.${state}`)}
    </Badge>
  )
}
