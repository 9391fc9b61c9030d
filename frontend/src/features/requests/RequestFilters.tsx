import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter } from '@/features/choices'
import { TypedFilter } from '@/shared/ui'
import { type Filters, outcomes } from './queries'

const route = getRouteApi('/_app/requests')

/** Request or session ID, outcome, code and agent, all kept in the URL. */
export function RequestFilters() {
  const { t } = useTranslation('requests')
  const { id: _, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const typed = (name: 'search' | 'code') => (value: string | undefined, replace: boolean) =>
    void navigate({ search: (old) => ({ ...old, [name]: value }), replace })
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
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, outcome: (value || undefined) as Filters['outcome'] }) })
        }
      />
      <AgentFilter
        value={filters.agentId}
        onChange={(agentId) => void navigate({ search: (old) => ({ ...old, agentId }) })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}
