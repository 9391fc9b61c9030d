import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AgentFilter, FilterBar, FilterChip, TimeRange, TypedFilter } from '@/shared/ui'
import { orderNames } from '../queries'
import { usePeopleSearch } from './usePeopleSearch'

/** Part of the id, time, agent and state, kept in the address. */
export function PeopleFilters() {
  const { t } = useTranslation('people')
  const { filters, ofAgent, count, change, clear } = usePeopleSearch()
  const { search, agent, blocked, order } = filters
  return (
    <FilterBar
      first={
        <TypedFilter
          label={t('userId')}
          placeholder={t('userIdPart')}
          value={search}
          apply={(typed, replace) => change({ search: typed }, replace)}
          isListSearch
        />
      }
      count={count}
      onClear={count > 0 || search ? clear : undefined}
    >
      <TimeRange value={filters} onChange={change} />
      {!ofAgent && <AgentFilter value={agent} onChange={(next) => change({ agent: next })} />}
      <FilterChip
        label={t('blocked')}
        set={blocked ?? false}
        // Who is blocked may have been silent for long.
        onChange={(only) =>
          change(only ? { blocked: true, time: 'all', from: undefined, to: undefined } : { blocked: undefined })
        }
      />
      {/* Wider screens have the heads of the columns. */}
      <NativeSelect
        className="panel-phone"
        label={t('sortBy')}
        data={orderNames.map((value) => ({ value, label: t(`order.${value}`) }))}
        value={order}
        onChange={({ currentTarget: { value } }) => change({ order: value === 'USER_ID' ? value : undefined })}
      />
    </FilterBar>
  )
}
