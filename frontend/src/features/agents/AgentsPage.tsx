import { Button, Group, Paper, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconPlus, IconRobot, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'
import { followFirstPage } from '@/shared/gql'
import { EmptyState, Page, QueryView, ShowMore, useTypedFilter } from '@/shared/ui'
import { AgentsTable } from './AgentsTable'
import { agentsQuery } from './queries'

const route = getRouteApi('/_app/agents/')

const NewAgentDialog = lazy(() => import('./NewAgentDialog'))

export function AgentsPage() {
  const { t } = useTranslation('agents')
  const { search, state, create } = route.useSearch()
  const navigate = route.useNavigate()
  const filtered = Boolean(search || state)
  const agents = useInfiniteQuery({
    ...agentsQuery({ search: search || undefined, state }),
    refetchInterval: followFirstPage,
    placeholderData: keepPreviousData,
  })
  const openDialog = () => void navigate({ search: (old) => ({ ...old, create: true }) })
  const newAgent = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openDialog}>
      {t('new')}
    </Button>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={newAgent}>
      <Filters />
      <QueryView query={agents}>
        {({ pages }) => {
          const nodes = pages.flatMap((page) => page.agents.nodes)
          if (nodes.length === 0) {
            return (
              <Paper>
                {filtered ? (
                  <EmptyState
                    title={t('noMatch')}
                    action={
                      <Button variant="default" onClick={() => void navigate({ search: {} })}>
                        {t('clearFilters')}
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState
                    icon={<IconRobot size={32} stroke={1.4} aria-hidden />}
                    title={t('empty')}
                    text={t('emptyText')}
                    action={newAgent}
                  />
                )}
              </Paper>
            )
          }
          return (
            <ShowMore query={agents}>
              <AgentsTable agents={nodes} />
              <Text size="sm" c="dimmed" role="status">
                {t('count', { count: pages[0]?.agents.totalCount ?? nodes.length })}
              </Text>
            </ShowMore>
          )
        }}
      </QueryView>
      {create && (
        <Suspense fallback={null}>
          <NewAgentDialog onClose={() => void navigate({ search: ({ create: _, ...old }) => old, replace: true })} />
        </Suspense>
      )}
    </Page>
  )
}

/** Search and state, both kept in the URL. */
function Filters() {
  const { t } = useTranslation('agents')
  const { search = '', state } = route.useSearch()
  const navigate = route.useNavigate()
  const field = useTypedFilter(
    search,
    (typed, replace) => void navigate({ search: (old) => ({ ...old, search: typed }), replace }),
  )
  return (
    <Group gap="xs">
      <TextInput
        aria-label={t('search')}
        placeholder={t('search')}
        type="search"
        data-list-search
        leftSection={<IconSearch size={16} aria-hidden />}
        {...field}
        style={{ flex: '1 1 200px', maxWidth: 320 }}
      />
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
    </Group>
  )
}
