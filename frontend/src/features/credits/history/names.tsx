import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AppLink } from '@/shared/ui'
import type { CreditEntry } from './queries'

// Names remain after a deletion, but only existing agents and exports are links.

export function AgentName({ entry: { agent, agentName } }: { entry: CreditEntry }) {
  const name = agentName ?? agent?.name
  if (!name) return null
  if (!agent) return <Gone name={name} />
  return (
    <AppLink to="/agents/$id" params={{ id: agent.id }} className="panel-user-text" fz="sm">
      {name}
    </AppLink>
  )
}

export function ExportName({ entry: { kind, export: open, exportName } }: { entry: CreditEntry }) {
  const { t } = useTranslation('credits')
  const name = exportName ?? open?.name
  if (!name) {
    return kind === 'CHARGE' ? (
      <Text size="xs" c="dimmed">
        {t('inPlayground')}
      </Text>
    ) : null
  }
  if (!open) return <Gone name={name} />
  return (
    <AppLink to="/exports/$id" params={{ id: open.id }} className="panel-user-text" fz="xs" c="dimmed">
      {name}
    </AppLink>
  )
}

function Gone({ name }: { name: string }) {
  const { t } = useTranslation('credits')
  return (
    <Text size="xs" c="dimmed">
      <span className="panel-user-text">{name}</span> ({t('deleted')})
    </Text>
  )
}
