import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { agentChoicesQuery } from '@/features/choices'

/** The agent whose calls are listed, which a link from another page has chosen. Pressing it shows those of all agents. */
export function AgentFilter({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('requests')
  const agents = useQuery(agentChoicesQuery).data
  const name = agents?.find((agent) => agent.id === id)?.name ?? t('otherAgent')
  return (
    <Button
      variant="default"
      maw={280}
      rightSection={<IconX size={16} aria-hidden />}
      aria-label={t('removeAgent', { name })}
      onClick={onRemove}
    >
      {t('agentIs', { name })}
    </Button>
  )
}
