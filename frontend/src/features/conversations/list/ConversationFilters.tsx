import { useTranslation } from 'react-i18next'
import { AgentFilter, ChoiceFilter, FilterBar, FilterChip, TimeRange, TypedFilter } from '@/shared/ui'
import type { Filters } from '../filters'

type Props = {
  filters: Filters
  /** The agent that the list is of. */
  ofAgent?: string
  /** Puts a part of the filters into the address, as a history entry of its own unless it replaces the last one. */
  onChange: (part: Filters, replace?: boolean) => void
  onClear: () => void
  /** Whether a conversation stands next to the list. */
  compact: boolean
}

/** Words, time, agent, user, session, source, rating and failures, all kept in the address. */
export function ConversationFilters({ filters, ofAgent, onChange, onClear, compact }: Props) {
  const { t } = useTranslation('conversations')
  const { search, text, userId, source, failed, rating, time, from, to } = filters
  const agent = ofAgent ? undefined : filters.agent
  const set = [search, userId, time ?? from ?? to, agent, source, rating, failed].filter(Boolean).length
  const typed = (name: 'search' | 'text' | 'userId') => (value: string | undefined, replace: boolean) =>
    onChange({ [name]: value }, replace)
  return (
    <FilterBar
      first={
        <TypedFilter label={t('text')} placeholder={t('textPart')} value={text} apply={typed('text')} isListSearch />
      }
      count={set}
      compact={compact}
      onClear={set > 0 || text ? onClear : undefined}
    >
      <TimeRange value={filters} onChange={onChange} />
      {!ofAgent && <AgentFilter value={agent} onChange={(next) => onChange({ agent: next })} />}
      <FilterChip label={t('userId')} set={Boolean(userId)} onChange={() => onChange({ userId: undefined })}>
        <TypedFilter label={t('userId')} placeholder={t('userIdExact')} value={userId} apply={typed('userId')} />
      </FilterChip>
      <FilterChip label={t('label')} set={Boolean(search)} onChange={() => onChange({ search: undefined })}>
        <TypedFilter label={t('label')} placeholder={t('labelPart')} value={search} apply={typed('search')} />
      </FilterChip>
      <FilterChip label={t('source')} set={Boolean(source)} onChange={() => onChange({ source: undefined })}>
        <ChoiceFilter
          label={t('source')}
          data={[
            { value: '', label: t('allSources') },
            { value: 'API', label: t('sources.API') },
            { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
            { value: 'TEST', label: t('sources.TEST') },
          ]}
          value={source}
          onChange={(value) => onChange({ source: value as Filters['source'] })}
        />
      </FilterChip>
      <FilterChip label={t('rating')} set={Boolean(rating)} onChange={() => onChange({ rating: undefined })}>
        <ChoiceFilter
          label={t('rating')}
          data={[
            { value: '', label: t('ratings.all') },
            { value: 'UP', label: t('ratings.UP') },
            { value: 'DOWN', label: t('ratings.DOWN') },
          ]}
          value={rating}
          onChange={(value) => onChange({ rating: value as Filters['rating'] })}
        />
      </FilterChip>
      <FilterChip
        label={t('failed')}
        set={failed ?? false}
        onChange={(only) => onChange({ failed: only || undefined })}
      />
    </FilterBar>
  )
}
