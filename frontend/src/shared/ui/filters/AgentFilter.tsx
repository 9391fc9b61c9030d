import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ChoiceFilter } from './ChoiceFilter'
import { agentChoicesQuery } from './choices'

/** Chooses one of the account's agents by name, or all of them. */
export function AgentFilter({ value, onChange }: { value?: string; onChange: (agent: string | undefined) => void }) {
  const { t } = useTranslation('choices')
  const loaded = useQuery(agentChoicesQuery).data
  const agents = loaded ?? []
  const choices = agents.map(({ id, name }) => ({ value: id, label: name }))
  // The agent of the address may be deleted, or not loaded yet.
  if (value && agents.every(({ id }) => id !== value)) choices.push({ value, label: loaded ? t('otherAgent') : '…' })
  return (
    <ChoiceFilter
      label={t('agent')}
      data={[{ value: '', label: t('all') }, ...choices]}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage={t('noSuchAgent')}
    />
  )
}
