import { Anchor, Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useVersions } from './useVersions'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  agentId: string
  /** What is chosen with an empty value. */
  none: string
  /** A version's number, or empty. */
  value: string
  onChange: (value: string) => void
}

/** How much of a note is shown with its version. */
const noteLength = 60

/** A choice of one of an agent's versions, or none. Older versions are loaded on demand. */
export function VersionSelect({ agentId, none, value, onChange, ...select }: Props) {
  const { t } = useTranslation('versions')
  const { query, edges } = useVersions(agentId, value ? Number(value) : undefined)
  const data = edges.map(({ node: { number, note } }) => {
    const [line = ''] = note.split('\n')
    const short = line.length > noteLength ? `${line.slice(0, noteLength)}…` : line
    return {
      value: String(number),
      label: short ? t('versionNoted', { number, note: short }) : t('version', { number }),
    }
  })
  // Until it is loaded, or when there is no such version.
  if (value && !data.some((option) => option.value === value)) {
    data.push({ value, label: t('version', { number: Number(value) }) })
  }
  return (
    <div>
      <Select
        {...select}
        data={[{ value: '', label: none }, ...data]}
        value={value}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
      {query.hasNextPage && (
        <Anchor component="button" type="button" size="xs" mt={4} onClick={() => void query.fetchNextPage()}>
          {t('olderVersions')}
        </Anchor>
      )}
    </div>
  )
}
