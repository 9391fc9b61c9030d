import { useTranslation } from 'react-i18next'
import { Period } from '@/features/usage'
import type { CreditKind } from '@/gql/graphql'
import { AgentFilter, ChoiceFilter, ExportFilter, FilterBar } from '@/shared/ui'
import { creditKinds, filtersOf, noFilters } from './filter'
import { useCreditSearch } from './useCreditSearch'

/** Period, kind, agent and export, all kept in the address. */
export function Filters() {
  const { t } = useTranslation('credits')
  const { search, change } = useCreditSearch()
  const count = filtersOf(search)
  return (
    <FilterBar
      first={<Period value={search} onChange={change} />}
      count={count}
      onClear={count > 0 ? () => change(noFilters) : undefined}
    >
      <ChoiceFilter
        label={t('kind')}
        data={[
          { value: '', label: t('allKinds') },
          ...creditKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        ]}
        value={search.kind}
        onChange={(value) => change({ kind: value as CreditKind | undefined })}
      />
      <AgentFilter value={search.agent} onChange={(agent) => change({ agent, export: undefined })} />
      <ExportFilter agent={search.agent} value={search.export} onChange={(exported) => change({ export: exported })} />
    </FilterBar>
  )
}
