import { useTranslation } from 'react-i18next'
import { AgentFilter, ExportFilter, FilterBar, FilterChip, TimeRange, TypedFilter } from '@/shared/ui'
import { useRequestSearch } from './useRequestSearch'

/** Time, agent, export, user, and text or an ID, all kept in the address. */
export function RequestFilters() {
  const { t } = useTranslation('requests')
  const { filters, id, ofAgent, change, clear } = useRequestSearch()
  const { search, agentId, exportId, userId, time, from, to, outcome, code, since } = filters
  const agent = ofAgent ? undefined : agentId
  const set = [agent, exportId, userId, time ?? from ?? to].filter(Boolean).length
  return (
    <FilterBar
      first={
        <TypedFilter
          label={t('search')}
          placeholder={t('searchPart')}
          value={search}
          apply={(typed, replace) => change({ search: typed }, replace)}
          isListSearch
        />
      }
      count={set}
      compact={id !== undefined}
      onClear={set > 0 || search || outcome || code || since ? clear : undefined}
    >
      <TimeRange value={filters} onChange={(range) => change({ ...range, since: undefined, until: undefined })} />
      {!ofAgent && <AgentFilter value={agent} onChange={(next) => change({ agentId: next, exportId: undefined })} />}
      <FilterChip label={t('export')} set={Boolean(exportId)} onChange={() => change({ exportId: undefined })}>
        <ExportFilter agent={agentId} value={exportId} onChange={(next) => change({ exportId: next })} />
      </FilterChip>
      <FilterChip label={t('userId')} set={Boolean(userId)} onChange={() => change({ userId: undefined })}>
        <TypedFilter
          label={t('userId')}
          placeholder={t('userIdExact')}
          value={userId}
          apply={(typed, replace) => change({ userId: typed }, replace)}
        />
      </FilterChip>
    </FilterBar>
  )
}
