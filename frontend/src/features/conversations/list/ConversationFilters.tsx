import { Checkbox, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AgentFilter, FilterBar, TimeRange, TypedFilter } from '@/shared/ui'
import type { Filters } from '../filters'

type Props = {
  filters: Filters
  /** The agent that the list is of. */
  ofAgent?: string
  /** Puts a part of the filters into the address, as a history entry of its own unless it replaces the last one. */
  onChange: (part: Filters, replace?: boolean) => void
  onClear: () => void
}

/** Session ID, words, person, time, agent, source and failures, all kept in the address. */
export function ConversationFilters({ filters, ofAgent, onChange, onClear }: Props) {
  const { t } = useTranslation('conversations')
  const { search, text, userId, source, failed, time, from, to } = filters
  const agent = ofAgent ? undefined : filters.agent
  const set = [text, userId, time ?? from ?? to, agent, source, failed].filter(Boolean).length
  const typed = (name: 'search' | 'text' | 'userId') => (value: string | undefined, replace: boolean) =>
    onChange({ [name]: value }, replace)
  return (
    <FilterBar
      first={
        <TypedFilter
          label={t('label')}
          placeholder={t('labelPart')}
          value={search}
          apply={typed('search')}
          isListSearch
        />
      }
      count={set}
      onClear={set > 0 || search ? onClear : undefined}
    >
      <TypedFilter label={t('text')} placeholder={t('textPart')} value={text} apply={typed('text')} />
      <TimeRange value={filters} onChange={onChange} />
      {!ofAgent && <AgentFilter value={agent} onChange={(next) => onChange({ agent: next })} />}
      <TypedFilter
        label={t('userId')}
        placeholder={t('userIdExact')}
        value={userId}
        apply={typed('userId')}
        maxWidth={200}
      />
      <SegmentedControl
        aria-label={t('source')}
        data={[
          { value: '', label: t('allSources') },
          { value: 'API', label: t('sources.API') },
          { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
        ]}
        value={source ?? ''}
        onChange={(value) => onChange({ source: (value || undefined) as Filters['source'] })}
      />
      <Checkbox
        label={t('onlyFailed')}
        checked={failed ?? false}
        onChange={({ currentTarget }) => onChange({ failed: currentTarget.checked || undefined })}
        mb={8}
      />
    </FilterBar>
  )
}
