import { Button, Group, Paper, Stack } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { May, useMay } from '@/features/auth'
import { followFirstPage, gql } from '@/shared/gql'
import {
  ButtonLink,
  ChosenBar,
  confirm,
  EmptyState,
  notifyDone,
  QueryView,
  ShowMore,
  TableShape,
  TypedFilter,
  useChosen,
} from '@/shared/ui'
import { DeleteTestCasesDocument, refreshTests, testCasesQuery } from '../queries'
import { RunButton } from '../runs/RunButton'
import { Runs } from '../runs/Runs'
import { SettingsButton } from '../settings/SettingsButton'
import { DownloadButton } from './DownloadButton'
import { ImportButton } from './ImportButton'
import { TestCasesTable } from './TestCasesTable'

const route = getRouteApi('/_app/agents/$id/tests')

/** The test cases with their newest results. Editors switch them on and off, and delete several at once. */
export function TestCases({ agent }: { agent: Agent }) {
  const { t } = useTranslation('tests')
  const { id: agentId } = agent
  const published = agent.publishedVersion?.number
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({
    ...testCasesQuery(agentId, search),
    placeholderData: keepPreviousData,
    refetchInterval: followFirstPage,
  })
  const cases = query.data?.pages.flatMap(({ agent }) => agent.testCases.nodes) ?? []
  const none = query.data !== undefined && cases.length === 0 && !search
  const newCase = (
    <ButtonLink
      to="/agents/$id/tests"
      params={{ id: agentId }}
      search={{ case: 'new' }}
      variant={none ? undefined : 'default'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('new')}
    </ButtonLink>
  )
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {!none && (
          <TypedFilter
            label={t('search')}
            placeholder={t('searchHint')}
            value={search}
            apply={(typed, replace) => void navigate({ search: { search: typed }, replace, resetScroll: false })}
            isListSearch
          />
        )}
        <Group gap="xs" ml="auto">
          {!none && <DownloadButton agentId={agentId} agentName={agent.name} />}
          <May least="OWNER">
            <SettingsButton agentId={agentId} />
          </May>
          <May least="EDITOR">
            <ImportButton agentId={agentId} />
            {!none && newCase}
            {!none && <RunButton published={published} />}
          </May>
        </Group>
      </Group>
      <QueryView query={query} loading={<TableShape columns={5} />}>
        {() =>
          cases.length === 0 ? (
            <Paper>
              <EmptyState
                icon={<IconChecklist size={32} stroke={1.4} aria-hidden />}
                title={t(search ? 'notFound' : 'empty')}
                text={search ? undefined : t('emptyText')}
                action={none && <May least="EDITOR">{newCase}</May>}
              />
            </Paper>
          ) : (
            <ShowMore query={query}>
              <Chosen agentId={agentId} published={published} cases={cases} />
            </ShowMore>
          )
        }
      </QueryView>
      <Runs agentId={agentId} />
    </Stack>
  )
}

type ChosenProps = Pick<Parameters<typeof TestCasesTable>[0], 'agentId' | 'cases'> & { published: number | undefined }

function Chosen({ agentId, published, cases }: ChosenProps) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const may = useMay('EDITOR')
  const chosen = useChosen(cases)
  const remove = () => {
    const ids = chosen.rows.map(({ id }) => id)
    return confirm({
      title: t('deleteTitle', { count: ids.length }),
      body: t('deleteText'),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteTestCasesDocument, { input: { ids } })
        await refreshTests(queryClient)
        void notifyDone(t('deleted', { count: ids.length }))
      },
    })
  }
  return (
    <>
      <TestCasesTable agentId={agentId} cases={cases} chosen={may ? chosen : undefined} />
      {may && (
        <ChosenBar chosen={chosen}>
          <RunButton size="xs" variant="default" published={published} cases={chosen.rows.map(({ id }) => id)} />
          <Button size="xs" variant="default" c="var(--bad)" onClick={() => void remove()}>
            {t('delete')}
          </Button>
        </ChosenBar>
      )}
    </>
  )
}
