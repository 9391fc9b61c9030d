import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '@/shared/time'
import type { Webhook } from './queries'

const looks = {
  ON: { icon: IconCircleCheck, color: 'green' },
  failing: { icon: IconAlertTriangle, color: 'yellow' },
  PAUSED: { icon: IconPlayerPause, color: 'yellow' },
  FAILING: { icon: IconCircleX, color: 'red' },
  STOPPED: { icon: IconCircleX, color: 'red' },
} as const

/** Whether a webhook gets events, by word, icon and colour. */
export function WebhookStateBadge({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const look = state === 'ON' && failingSince ? 'failing' : state
  const { icon: Icon, color } = looks[look]
  return (
    <Badge component="span" miw="max-content" color={color} leftSection={<Icon size={14} aria-hidden />}>
      {t(`state.${look}`, { date: failingSince && formatDate(failingSince) })}
    </Badge>
  )
}
