import { useTranslation } from 'react-i18next'
import { AgentFilter, ChoiceFilter, ExportFilter, FilterBar, FilterChip } from '@/shared/ui'
import { Period } from './Period'
import { measures, splits } from './range'
import { noFilters, type UsageSearch, useUsageSearch } from './useUsageSearch'

/** Period, split, what is shown, and filters, all kept in the address. */
export function UsageFilters() {
  const { t } = useTranslation('usage')
  const { search, split, show, filtered, change } = useUsageSearch()
  return (
    <FilterBar
      first={<Period value={search} onChange={change} />}
      count={filtered}
      onClear={filtered > 0 ? () => change(noFilters) : undefined}
    >
      <ChoiceFilter
        label={t('split')}
        data={splits.map((value) => ({ value, label: t(`splits.${value}`) }))}
        value={split}
        // Results are shown as messages unless asked otherwise.
        onChange={(value) => change({ split: value as UsageSearch['split'], show: undefined, sort: undefined })}
      />
      <ChoiceFilter
        label={t('show')}
        data={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
        value={show}
        onChange={(value) => change({ show: value as UsageSearch['show'], sort: undefined })}
      />
      <AgentFilter value={search.agent} onChange={(next) => change({ agent: next, export: undefined })} />
      <FilterChip
        label={t('splits.export')}
        set={Boolean(search.export)}
        onChange={() => change({ export: undefined })}
      >
        <ExportFilter agent={search.agent} value={search.export} onChange={(next) => change({ export: next })} />
      </FilterChip>
      <FilterChip label={t('source')} set={Boolean(search.source)} onChange={() => change({ source: undefined })}>
        <ChoiceFilter
          label={t('source')}
          data={[
            { value: '', label: t('allSources') },
            { value: 'API', label: t('sources.API') },
            { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
            { value: 'TEST', label: t('sources.TEST') },
          ]}
          value={search.source}
          onChange={(value) => change({ source: value as UsageSearch['source'] })}
        />
      </FilterChip>
    </FilterBar>
  )
}
