import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { exportChoicesQuery } from './choices'
import { byLabel } from './filter'

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
    <Select
      label={t('export')}
      data={[{ value: '', label: t('allExports') }, ...choices]}
      value={value ?? ''}
      onChange={(next) => onChange(next || undefined)}
      searchable
      filter={byLabel}
      nothingFoundMessage={t('noSuchExport')}
      maxDropdownHeight={280}
      style={{ flex: '1 1 140px', maxWidth: 240 }}
    />
  )
}
