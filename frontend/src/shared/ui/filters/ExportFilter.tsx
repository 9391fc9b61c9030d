import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ChoiceFilter } from './ChoiceFilter'
import { exportChoicesQuery } from './choices'

type Props = {
  /** The agent whose exports are offered; all of the account without it. */
  agent?: string
  value?: string
  onChange: (value: string | undefined) => void
}

/** Chooses one of the account's exports by name, or all of them. */
export function ExportFilter({ agent, value, onChange }: Props) {
  const { t } = useTranslation('choices')
  const loaded = useQuery(exportChoicesQuery(agent)).data
  const exports = loaded ?? []
  const choices = exports.map((one) => {
    const name = agent ? one.name : t('exportOf', { name: one.name, agent: one.agent.name })
    return { value: one.id, label: one.state === 'REMOVED' ? t('removedExport', { name }) : name }
  })
  // The export of the address may be deleted, or not loaded yet.
  if (value && exports.every(({ id }) => id !== value)) choices.push({ value, label: loaded ? t('otherExport') : '…' })
  return (
    <ChoiceFilter
      label={t('export')}
      data={[{ value: '', label: t('all') }, ...choices]}
      value={value}
      onChange={onChange}
      searchable
      nothingFoundMessage={t('noSuchExport')}
    />
  )
}
