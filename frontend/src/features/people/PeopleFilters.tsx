import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter } from '@/features/choices'
import { TypedFilter } from '@/shared/ui'

const route = getRouteApi('/_app/people/')

/** Part of the id, agent and state, kept in the URL. */
export function PeopleFilters() {
  const { t } = useTranslation('people')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: typeof search, replace?: boolean) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace })
  return (
    <Group role="search" gap="xs" align="flex-end">
      <TypedFilter
        label={t('userId')}
        placeholder={t('userIdPart')}
        value={search.search}
        apply={(typed, replace) => change({ search: typed }, replace)}
        isListSearch
      />
      <AgentFilter value={search.agent} onChange={(agent) => change({ agent })} />
      <SegmentedControl
        aria-label={t('state')}
        data={[
          { value: '', label: t('everybody') },
          { value: 'blocked', label: t('blocked') },
        ]}
        value={search.blocked ? 'blocked' : ''}
        onChange={(value) => change({ blocked: value === 'blocked' || undefined })}
      />
      {Object.values(search).some(Boolean) && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}
