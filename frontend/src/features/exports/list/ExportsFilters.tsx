import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ExportState } from '@/gql/graphql'
import { nearlyShare } from '@/shared/format'
import { AgentFilter, ChoiceFilter, FilterBar, FilterChip, TypedFilter } from '@/shared/ui'
import { exportStates } from '../queries'
import { type Column, columns, defaultSort, type ExportSort, falling } from './columns'

const route = getRouteApi('/_app/exports/')

/** Name, agent, state and what is near a limit, and on a phone the order, all kept in the address. */
export function ExportsFilters() {
  const { t } = useTranslation('exports')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Partial<typeof search>, replace = false) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace })
  const { state, agent, near, sort } = search
  const removed = state === 'REMOVED'
  const filtered = Boolean(search.search || agent || near)
  return (
    <FilterBar
      first={
        <TypedFilter
          label={t('search')}
          placeholder={t('searchPart')}
          value={search.search}
          apply={(typed, replace) => change({ search: typed }, replace)}
          isListSearch
        />
      }
      count={[state, agent, near].filter(Boolean).length}
      onClear={filtered ? () => void navigate({ search: { state, sort } }) : undefined}
    >
      <AgentFilter value={agent} onChange={(next) => change({ agent: next })} />
      <ChoiceFilter
        label={t('state')}
        data={[
          { value: '', label: t('inUse') },
          ...exportStates.map((value) => ({ value, label: t(`stateOf.${value}`) })),
        ]}
        value={state}
        onChange={(value) => change({ state: value as ExportState | undefined })}
      />
      {!removed && (
        <FilterChip
          label={t('near', { share: nearlyShare() })}
          set={near ?? false}
          onChange={(set) => change({ near: set || undefined })}
        />
      )}
      {/* Wider ones have the heads of their columns. */}
      {!removed && (
        <NativeSelect
          className="panel-phone"
          label={t('order')}
          data={columns.map((column) => ({ value: sortOf(column), label: t(`column.${column}`) }))}
          value={sort ?? defaultSort}
          onChange={({ currentTarget: { value } }) => change({ sort: value as ExportSort })}
        />
      )}
    </FilterBar>
  )
}

const sortOf = (column: Column): ExportSort => (falling.includes(column) ? `-${column}` : column)
