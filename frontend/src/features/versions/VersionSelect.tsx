import { Anchor, Select, type SelectProps, Text } from '@mantine/core'
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

/** A choice of one of an agent's versions, or none. Older versions are loaded on demand. */
export function VersionSelect({ agentId, none, value, onChange, ...select }: Props) {
  const { t } = useTranslation('versions')
  const { query, edges } = useVersions(agentId, value ? Number(value) : undefined)
  const notes = new Map(edges.map(({ node: { number, note } }) => [String(number), note]))
  const data = edges.map(({ node: { number } }) => ({ value: String(number), label: t('version', { number }) }))
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
        renderOption={({ option }) => (
          <div style={{ minWidth: 0 }}>
            {option.label}
            <Text size="xs" c="dimmed" lineClamp={1} className="panel-user-text">
              {notes.get(option.value)}
            </Text>
          </div>
        )}
      />
      {query.hasNextPage && (
        <Anchor component="button" type="button" size="xs" mt={4} onClick={() => void query.fetchNextPage()}>
          {t('olderVersions')}
        </Anchor>
      )}
    </div>
  )
}
