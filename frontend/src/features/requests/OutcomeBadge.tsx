import { Badge } from '@mantine/core'
import { IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RequestOutcome } from '@/gql/graphql'

const looks = {
  ANSWERED: { icon: IconCircleCheck, color: 'green' },
  FAILED: { icon: IconCircleX, color: 'red' },
  REFUSED: { icon: IconBan, color: 'yellow' },
} satisfies Record<RequestOutcome, unknown>

/** How a request ended, by word, icon and colour. */
export function OutcomeBadge({ outcome }: { outcome: RequestOutcome }) {
  const { t } = useTranslation('requests')
  const { icon: Icon, color } = looks[outcome]
  return (
    <Badge miw="max-content" color={color} leftSection={<Icon size={14} aria-hidden />}>
      {t(`outcomeOf.${outcome}`)}
    </Badge>
  )
}
