import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AgentFilter, ExportFilter } from '@/features/choices'
import { dateOf, serverNow } from '@/shared/time'
import { DayField } from '@/shared/ui'
import { ranges, splits, type UsageSearch } from './range'
import { noFilters, useUsageSearch } from './useUsageSearch'

const dayMs = 24 * 3600_000

/** Range, split and filters, all kept in the URL. */
export function UsageFilters() {
  const { t } = useTranslation('usage')
  const { search, change, ofAgent } = useUsageSearch()
  const { range = '30d', split = 'agent', from, to, agent, source } = search
  const choose = (next: NonNullable<UsageSearch['range']>) => {
    if (next !== 'own') return change({ range: next, from: undefined, to: undefined })
    change({ range: next, from: from ?? dateOf(serverNow() - 29 * dayMs), to: to ?? dateOf(serverNow()) })
  }
  const backward = from !== undefined && to !== undefined && to < from
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <SegmentedControl
          aria-label={t('range')}
          data={ranges.map((value) => ({ value, label: t(`ranges.${value}`) }))}
          value={range}
          onChange={choose}
        />
        {range === 'own' && (
          <>
            <DayField
              flex="0 1 150px"
              label={t('from')}
              value={from}
              max={to}
              onChange={(day) => change({ from: day })}
            />
            <DayField
              flex="0 1 150px"
              label={t('to')}
              value={to}
              min={from}
              error={backward ? t('backward') : undefined}
              onChange={(day) => change({ to: day })}
            />
          </>
        )}
      </Group>
      <Group gap="xs" align="flex-end">
        <SegmentedControl
          aria-label={t('split')}
          data={splits
            .filter((value) => value !== 'agent' || !ofAgent)
            .map((value) => ({ value, label: t(`splits.${value}`) }))}
          value={split}
          onChange={(value) => change({ split: value })}
        />
        {!ofAgent && <AgentFilter value={agent} onChange={(next) => change({ agent: next, export: undefined })} />}
        <ExportFilter agent={agent} value={search.export} onChange={(next) => change({ export: next })} />
        <SegmentedControl
          aria-label={t('source')}
          data={[
            { value: '', label: t('allSources') },
            { value: 'API', label: t('sources.API') },
            { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
          ]}
          value={source ?? ''}
          onChange={(value) => change({ source: (value || undefined) as UsageSearch['source'] })}
        />
        {((agent && !ofAgent) || search.export || source) && (
          <Button variant="default" onClick={() => change(noFilters)}>
            {t('clearFilters')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
