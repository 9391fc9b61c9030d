import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { followFirstPage } from '@/shared/gql'
import {
  EmptyState,
  NoMatch,
  Page,
  part,
  QueryView,
  ShowMore,
  TableShape,
  useChosen,
  withoutRepeats,
} from '@/shared/ui'
import { ImportButton } from '../files/ImportButton'
import { agentsQuery, type ListedAgent } from '../queries'
import { ReplaceButton } from '../replace/ReplaceButton'
import { AgentsFilters } from './AgentsFilters'
import { AgentsTable } from './AgentsTable'
import { BulkActions } from './BulkActions'
import { type AllFigures, figuresQuery } from './figures'
import { orderOf, usual } from './order'

const route = getRouteApi('/_app/agents/')

const NewAgentDialog = part(() => import('./NewAgentDialog'))

export function AgentsPage() {
  const { t } = useTranslation('agents')
  const { search, state, create, sort = usual } = route.useSearch()
  const navigate = route.useNavigate()
  const agents = useInfiniteQuery({
    ...agentsQuery({ search: search || undefined, state }, orderOf(sort)),
    refetchInterval: followFirstPage,
    placeholderData: keepPreviousData,
  })
  const figures = useQuery(figuresQuery) // here, to be asked along with the agents
  const may = useMay('EDITOR')
  const newAgent = may && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ search: (old) => ({ ...old, create: true }) })}
    >
      {t('new')}
    </Button>
  )
  const actions = may && (
    <Group gap="xs">
      <ImportButton />
      <ReplaceButton />
      {newAgent}
    </Group>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={actions}>
      <AgentsFilters />
      <QueryView query={agents} loading={<TableShape head={44} two="mark" columns={6} />}>
        {({ pages }) => {
          const nodes = withoutRepeats(pages.flatMap((page) => page.agents.nodes))
          if (nodes.length > 0) {
            return (
              <ShowMore query={agents}>
                <Box aria-busy={agents.isPlaceholderData} opacity={agents.isPlaceholderData ? 0.6 : undefined}>
                  <List agents={nodes} count={pages[0]?.agents.totalCount ?? nodes.length} figures={figures} />
                </Box>
              </ShowMore>
            )
          }
          if (search || state) return <NoMatch title={t('noMatch')} />
          return (
            <Paper>
              <EmptyState
                icon={<IconRobot size={32} stroke={1.4} aria-hidden />}
                title={t('empty')}
                text={t('emptyText')}
                action={newAgent}
              />
            </Paper>
          )
        }}
      </QueryView>
      {create && may && (
        <Suspense fallback={null}>
          <NewAgentDialog onClose={() => void navigate({ search: ({ create: _, ...old }) => old, replace: true })} />
        </Suspense>
      )}
    </Page>
  )
}

type ListProps = { agents: ListedAgent[]; count: number; figures: UseQueryResult<AllFigures> }

/** The agents, which are there without their figures, too. */
function List({ agents, count, figures: { data, isError } }: ListProps) {
  const { t } = useTranslation('agents')
  const { sort = usual } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay('EDITOR')
  const chosen = useChosen(agents)
  return (
    <Stack gap="sm">
      <AgentsTable
        agents={agents}
        figures={data}
        chosen={may ? chosen : undefined}
        sort={sort}
        onSort={(next) => void navigate({ search: (old) => ({ ...old, sort: next === usual ? undefined : next }) })}
      />
      {may && <BulkActions chosen={chosen} />}
      <Text size="sm" c="dimmed" role="status">
        {t('count', { count })} {isError && t('figuresFailed')}
      </Text>
    </Stack>
  )
}
