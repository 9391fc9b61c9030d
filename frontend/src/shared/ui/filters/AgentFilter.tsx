import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { agentChoicesQuery } from './choices'
import { byLabel } from './filter'

/** Chooses one of the account's agents by name, or all of them. */
export function AgentFilter({ value, onChange }: { value?: string; onChange: (agent: string | undefined) => void }) {
  const { t } = useTranslation('choices')
  const loaded = useQuery(agentChoicesQuery).data
  const agents = loaded ?? []
  const choices = agents.map(({ id, name }) => ({ value: id, label: name }))
  // The agent of the address may be deleted, or not loaded yet.
  if (value && agents.every(({ id }) => id !== value)) choices.push({ value, label: loaded ? t('otherAgent') : '…' })
  return (
    <Select
      label={t('agent')}
      data={[{ value: '', label: t('allAgents') }, ...choices]}
      value={value ?? ''}
      onChange={(next) => onChange(next || undefined)}
      searchable
      filter={byLabel}
      nothingFoundMessage={t('noSuchAgent')}
      maxDropdownHeight={280}
      style={{ flex: '1 1 140px', maxWidth: 240 }}
    />
  )
}
