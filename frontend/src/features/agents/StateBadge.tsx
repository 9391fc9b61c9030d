import { Badge } from '@mantine/core'
import { IconCircleCheck, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'

/** Whether an agent answers callers, by word, icon and colour. */
export function StateBadge({ state }: { state: AgentState }) {
  const { t } = useTranslation('agents')
  const completed = state === 'COMPLETED'
  const Icon = completed ? IconCircleCheck : IconPencil
  return (
    <Badge miw="max-content" color={completed ? 'green' : 'gray'} leftSection={<Icon size={14} aria-hidden />}>
      {t(completed ? 'completed' : 'draft')}
    </Badge>
  )
}
