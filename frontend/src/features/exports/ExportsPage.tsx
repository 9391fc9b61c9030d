import { Button, Group, Paper, SegmentedControl } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ExportState } from '@/gql/graphql'
import { ButtonLink, EmptyState, Page, QueryView, ShowMore } from '@/shared/ui'
import { ExportsTable } from './ExportsTable'
import { type AccountExport, accountExportsQuery, exportStates, refreshExports } from './queries'
import { useEachDay } from './useEachDay'

const route = getRouteApi('/_app/exports')

/** Those in use first; each part keeps its order. */
const usedFirst = (a: AccountExport, b: AccountExport) => Number(a.state === 'REMOVED') - Number(b.state === 'REMOVED')

/** All exports of the account, removed ones with their dates. */
export function ExportsPage() {
  const { t } = useTranslation('exports')
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const exports = useInfiniteQuery({ ...accountExportsQuery({ state }), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useEachDay(() => refreshExports(queryClient))
  return (
    <Page title={t('title')} description={t('description')}>
      <Group>
        <SegmentedControl
          aria-label={t('state')}
          size="xs"
          data={[
            { value: '', label: t('all') },
            ...exportStates.map((value) => ({ value, label: t(`stateOf.${value}`) })),
          ]}
          value={state ?? ''}
          onChange={(value) => void navigate({ search: { state: (value || undefined) as ExportState | undefined } })}
        />
      </Group>
      <QueryView query={exports}>
        {({ pages }) => {
          const nodes = pages.flatMap((page) => page.viewer.exports.nodes).toSorted(usedFirst)
          if (nodes.length > 0) {
            return (
              <ShowMore query={exports}>
                <ExportsTable exports={nodes} />
              </ShowMore>
            )
          }
          return (
            <Paper>
              {state ? (
                <EmptyState
                  title={t(`noneOf.${state}`)}
                  action={
                    <Button variant="default" onClick={() => void navigate({ search: {} })}>
                      {t('showAll')}
                    </Button>
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
        }}
      </QueryView>
    </Page>
  )
}
