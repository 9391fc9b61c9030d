import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter, ExportFilter } from '@/features/choices'
import { DayField, TypedFilter } from '@/shared/ui'
import { type Filters, outcomes } from './queries'

const route = getRouteApi('/_app/requests')

/** Request or session ID, outcome, code and agent, all kept in the URL. */
export function RequestFilters() {
  const { t } = useTranslation('requests')
  const { id: _, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const typed = (name: 'search' | 'code' | 'userId') => (value: string | undefined, replace: boolean) =>
    void navigate({ search: (old) => ({ ...old, [name]: value }), replace })
  const change = (part: Filters) => void navigate({ search: (old) => ({ ...old, ...part }) })
  return (
    <Group gap="xs" align="flex-end" role="search">
      <TypedFilter
        label={t('search')}
        placeholder={t('searchPart')}
        value={filters.search}
        apply={typed('search')}
        maxWidth={360}
        isListSearch
      />
      <TypedFilter
        label={t('code')}
        placeholder="rate_limited"
        value={filters.code}
        apply={typed('code')}
        maxWidth={220}
      />
      <SegmentedControl
        aria-label={t('outcome')}
        data={[{ value: '', label: t('all') }, ...outcomes.map((value) => ({ value, label: t(`outcomeOf.${value}`) }))]}
        value={filters.outcome ?? ''}
        onChange={(value) => change({ outcome: (value || undefined) as Filters['outcome'] })}
      />
      <AgentFilter value={filters.agentId} onChange={(agentId) => change({ agentId, exportId: undefined })} />
      <ExportFilter agent={filters.agentId} value={filters.exportId} onChange={(exportId) => change({ exportId })} />
      <TypedFilter
        label={t('userId')}
        placeholder={t('userIdExact')}
        value={filters.userId}
        apply={typed('userId')}
        maxWidth={220}
      />
      <DayField
        flex="0 1 150px"
        label={t('from')}
        value={filters.from}
        max={filters.to}
        onChange={(from) => change({ from })}
      />
      <DayField
        flex="0 1 150px"
        label={t('to')}
        value={filters.to}
        min={filters.from}
        onChange={(to) => change({ to })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}
