import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AgentFilter, ExportFilter, FilterBar } from '@/shared/ui'
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
      <Select
        label={t('split')}
        data={splits.map((value) => ({ value, label: t(`splits.${value}`) }))}
        value={split}
        allowDeselect={false}
        // Results are shown as messages unless asked otherwise.
        onChange={(value) => change({ split: (value ?? undefined) as UsageSearch['split'], show: undefined, sort: undefined })}
        style={{ flex: '0 1 140px' }}
      />
      <Select
        label={t('show')}
        data={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
        value={show}
        allowDeselect={false}
        onChange={(value) => change({ show: (value ?? undefined) as UsageSearch['show'], sort: undefined })}
        style={{ flex: '0 1 140px' }}
      />
      <AgentFilter value={search.agent} onChange={(next) => change({ agent: next, export: undefined })} />
      <ExportFilter agent={search.agent} value={search.export} onChange={(next) => change({ export: next })} />
      <Select
        label={t('source')}
        data={[
          { value: '', label: t('allSources') },
          { value: 'API', label: t('sources.API') },
          { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
        ]}
        value={search.source ?? ''}
        allowDeselect={false}
        onChange={(value) => change({ source: (value || undefined) as UsageSearch['source'] })}
        style={{ flex: '0 1 130px' }}
      />
    </FilterBar>
  )
}
