import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DayField, TypedFilter } from '@/shared/ui'
import { type Filters, isBackward } from './days'

const route = getRouteApi('/_app/agents/$id/conversations')
const dayWidth = '0 1 150px'

/** Session ID, end user, source and days, all kept in the URL. */
export function ConversationFilters() {
  const { t } = useTranslation('conversations')
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Filters) => void navigate({ search: (old) => ({ ...old, ...part }) })
  const typed = (name: 'search' | 'userId') => (value: string | undefined, replace: boolean) =>
    void navigate({ search: (old) => ({ ...old, [name]: value }), replace })
  return (
    <Group gap="xs" align="flex-end" role="search">
      <TypedFilter label={t('label')} placeholder={t('labelPart')} value={filters.search} apply={typed('search')} />
      <TypedFilter label={t('userId')} placeholder={t('userIdExact')} value={filters.userId} apply={typed('userId')} />
      <SegmentedControl
        aria-label={t('source')}
        data={[
          { value: '', label: t('allSources') },
          { value: 'API', label: t('sources.API') },
          { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
        ]}
        value={filters.source ?? ''}
        onChange={(value) => change({ source: (value || undefined) as Filters['source'] })}
      />
      <DayField
        flex={dayWidth}
        label={t('from')}
        value={filters.from}
        max={filters.to}
        onChange={(from) => change({ from })}
      />
      <DayField
        flex={dayWidth}
        label={t('to')}
        value={filters.to}
        min={filters.from}
        error={isBackward(filters) ? t('backward') : undefined}
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
