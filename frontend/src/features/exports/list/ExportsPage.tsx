import { Box, Button, Paper, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import type { ExportState } from '@/gql/graphql'
import { limitsNear } from '@/shared/format'
import { followFirstPage } from '@/shared/gql'
import {
  ButtonLink,
  EmptyState,
  NoMatch,
  Page,
  QueryView,
  ShowMore,
  TableShape,
  useAllPages,
  useChosen,
  useSomeRows,
} from '@/shared/ui'
import { BulkActions } from '../bulk/BulkActions'
import { type AccountExport, accountExportsQuery } from '../queries'
import { defaultSort } from './columns'
import { ExportsFilters } from './ExportsFilters'
import { ExportsTable } from './ExportsTable'
import { useListActions } from './useListActions'

const route = getRouteApi('/_app/exports/')

/** The exports of the account, those in use by default. */
export function ExportsPage() {
  const { t } = useTranslation('exports')
  const { state, search, agent, near, sort } = route.useSearch()
  const removed = state === 'REMOVED'
  const exports = useInfiniteQuery({
    ...accountExportsQuery({ state, inUse: removed ? undefined : true, search, agentId: agent }, sort ?? defaultSort),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  // The service does not select by this. An account has at most 1,000 exports in use.
  const onlyNear = Boolean(near && !removed)
  useAllPages(exports, onlyNear)
  const filtered = Boolean(search || agent || onlyNear)
  const { create, pause, dialogs } = useListActions(agent)
  const actions = create && (
    <>
      {pause}
      {create}
    </>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={actions}>
      <ExportsFilters />
      <QueryView query={exports} loading={<TableShape columns={6} />}>
        {({ pages }) => {
          const nodes = withoutRepeats(pages.flatMap((page) => page.viewer.exports.nodes))
          const rows = onlyNear ? nodes.filter((row) => limitsNear(row).length > 0) : nodes
          if (rows.length > 0 || (onlyNear && exports.hasNextPage)) {
            return (
              <ShowMore query={exports}>
                <Box aria-busy={exports.isPlaceholderData} opacity={exports.isPlaceholderData ? 0.6 : undefined}>
                  <List exports={rows} removed={removed} />
                </Box>
                <Text size="sm" c="dimmed" role="status">
                  {t(exports.hasNextPage ? 'countSoFar' : 'count', { count: rows.length })}
                </Text>
              </ShowMore>
            )
          }
          return exports.isPlaceholderData ? null : <Nothing state={state} filtered={filtered} create={create} />
        }}
      </QueryView>
      {dialogs}
    </Page>
  )
}

/** A row comes twice if its value changed between two pages. */
const withoutRepeats = (rows: AccountExport[]) => [...new Map(rows.map((row) => [row.id, row])).values()]

/** Removed ones cannot be changed, so there is nothing to choose, and no order but their own. */
function List({ exports, removed }: { exports: AccountExport[]; removed: boolean }) {
  const { t } = useTranslation()
  const { sort } = route.useSearch()
  const navigate = route.useNavigate()
  const { shown, showMore } = useSomeRows(exports)
  const may = useMay('EDITOR')
  const chosen = useChosen(shown)
  if (removed) return <ExportsTable exports={exports} removed />
  return (
    <Stack gap="sm">
      <ExportsTable
        exports={shown}
        chosen={may ? chosen : undefined}
        sorting={{
          sort: sort ?? defaultSort,
          onSort: (next) =>
            void navigate({ search: (old) => ({ ...old, sort: next === defaultSort ? undefined : next }) }),
        }}
      />
      {may && <BulkActions chosen={chosen} />}
      {showMore && (
        <Button variant="default" mx="auto" onClick={showMore}>
          {t('showMore')}
        </Button>
      )}
    </Stack>
  )
}

type NothingProps = { state?: ExportState; filtered: boolean; create: ReactNode }

function Nothing({ state, filtered, create }: NothingProps) {
  const { t } = useTranslation('exports')
  if (filtered) return <NoMatch title={t('noMatch')} />
  return (
    <Paper>
      {state ? (
        <EmptyState
          title={t(`noneOf.${state}`)}
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
          action={create}
        />
      )}
    </Paper>
  )
}
