import { NativeSelect, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'
import { FilterBar, type Sort, TypedFilter } from '@/shared/ui'
import { type Column, columns, usual } from './order'

const route = getRouteApi('/_app/agents/')

/** Search and state, and on a phone the order, all kept in the address. */
export function AgentsFilters() {
  const { t } = useTranslation('agents')
  const { search, state, sort = usual } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <FilterBar
      first={
        <TypedFilter
          label={t('search')}
          placeholder={t('searchPart')}
          value={search}
          apply={(typed, replace) => void navigate({ search: (old) => ({ ...old, search: typed }), replace })}
          isListSearch
        />
      }
      count={state ? 1 : 0}
      onClear={state || search ? () => void navigate({ search: ({ sort }) => ({ sort }) }) : undefined}
    >
      <SegmentedControl
        aria-label={t('state')}
        data={[
          { value: '', label: t('allStates') },
          { value: 'LIVE', label: t('live') },
          { value: 'DRAFT', label: t('draft') },
          { value: 'OFFLINE', label: t('offline') },
        ]}
        value={state ?? ''}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, state: (value || undefined) as AgentState | undefined }) })
        }
      />
      {/* Wider ones have the heads of their columns. */}
      <NativeSelect
        className="panel-phone"
        label={t('sortBy')}
        data={columns.map((column) => ({ value: sortOf(column), label: t(`column.${column}`) }))}
        value={sort}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: (old) => ({ ...old, sort: value as Sort<Column> }) })
        }
      />
    </FilterBar>
  )
}

const sortOf = (column: Column): Sort<Column> => (column === 'name' ? column : `-${column}`)
