import { Box, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter } from '@/features/choices'
import type { ExportState } from '@/gql/graphql'
import { followFirstPage } from '@/shared/gql'
import { ButtonLink, EmptyState, Page, QueryView, ShowMore, TypedFilter, useChosen } from '@/shared/ui'
import { BulkActions } from './bulk/BulkActions'
import { ExportsTable } from './ExportsTable'
import { type AccountExport, accountExportsQuery, exportStates } from './queries'

const route = getRouteApi('/_app/exports/')

/** The exports of the account, those in use by default. */
export function ExportsPage() {
  const { t } = useTranslation('exports')
  const { state, search, agent } = route.useSearch()
  const navigate = route.useNavigate()
  const exports = useInfiniteQuery({
    ...accountExportsQuery({ state, inUse: state ? undefined : true, search, agentId: agent }),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  const filtered = Boolean(search || agent)
  return (
    <Page title={t('title')} description={t('description')}>
      <Group gap="xs" align="flex-end" role="search">
        <TypedFilter
          label={t('search')}
          placeholder={t('searchPart')}
          value={search}
          apply={(value, replace) => void navigate({ search: (old) => ({ ...old, search: value }), replace })}
          isListSearch
        />
        <AgentFilter value={agent} onChange={(next) => void navigate({ search: (old) => ({ ...old, agent: next }) })} />
        <SegmentedControl
          aria-label={t('state')}
          data={[
            { value: '', label: t('inUse') },
            ...exportStates.map((value) => ({ value, label: t(`stateOf.${value}`) })),
          ]}
          value={state ?? ''}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, state: (value || undefined) as ExportState | undefined }) })
          }
        />
        {filtered && (
          <Button variant="default" onClick={() => void navigate({ search: { state } })}>
            {t('clearFilters')}
          </Button>
        )}
      </Group>
      <QueryView query={exports}>
        {({ pages }) => {
          const nodes = pages.flatMap((page) => page.viewer.exports.nodes)
          if (nodes.length > 0) {
            return (
              <ShowMore query={exports}>
                <Box aria-busy={exports.isPlaceholderData} opacity={exports.isPlaceholderData ? 0.6 : undefined}>
                  <List exports={nodes} removed={state === 'REMOVED'} />
                </Box>
                <Text size="sm" c="dimmed" role="status">
                  {t(exports.hasNextPage ? 'countSoFar' : 'count', { count: nodes.length })}
                </Text>
              </ShowMore>
            )
          }
          return exports.isPlaceholderData ? null : <Nothing state={state} filtered={filtered} />
        }}
      </QueryView>
    </Page>
  )
}

/** Removed ones cannot be changed, so there is nothing to choose. */
function List({ exports, removed }: { exports: AccountExport[]; removed: boolean }) {
  const chosen = useChosen(exports)
  if (removed) return <ExportsTable exports={exports} removed />
  return (
    <Stack gap="sm">
      <ExportsTable exports={exports} chosen={chosen} />
      <BulkActions chosen={chosen} />
    </Stack>
  )
}

function Nothing({ state, filtered }: { state?: ExportState; filtered: boolean }) {
  const { t } = useTranslation('exports')
  return (
    <Paper>
      {state || filtered ? (
        <EmptyState
          title={filtered || !state ? t('noMatch') : t(`noneOf.${state}`)}
          action={
            <ButtonLink to="/exports" variant="default">
              {t('showInUse')}
            </ButtonLink>
          }
        />
      ) : (
        <EmptyState
          icon={<IconKey size={32} stroke={1.4} aria-hidden />}
          title={t('empty')}
          text={t('emptyText')}
          action={<ButtonLink to="/agents">{t('toAgents')}</ButtonLink>}
        />
      )}
    </Paper>
  )
}
