import { Button, Group, NativeSelect, Paper, Progress, Stack, Switch, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { followMs, gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { AppLink, confirm, EmptyState, notifyDone, notifyError, QueryView, TableShape, useAllPages } from '@/shared/ui'
import { Outcomes } from './Outcomes'
import {
  DeleteTestRunDocument,
  isOver,
  type Run,
  refreshRuns,
  StopTestRunDocument,
  testOutcomesQuery,
  testRunQuery,
  testRunsQuery,
} from './queries'
import { countsOf } from './reasons'
import { StateText } from './StateText'
import { useTested } from './useTested'

const route = getRouteApi('/_app/agents/$id/tests')

/** A run: its progress, and the outcomes of its cases, optionally compared with another run. */
export function RunPage({ agentId, id }: { agentId: string; id: string }) {
  const { t } = useTranslation('tests')
  const query = useQuery({
    ...testRunQuery(id),
    refetchInterval: ({ state }) => {
      const run = state.data?.testRun
      return run && isOver(run) ? false : followMs
    },
  })
  const back = (
    <AppLink to="/agents/$id/tests" params={{ id: agentId }} w="fit-content">
      {t('all')}
    </AppLink>
  )
  return (
    <Stack gap="sm">
      {back}
      <QueryView query={query} missing={<EmptyState title={t('runGone')} />}>
        {({ testRun }) => <Shown agentId={agentId} run={testRun} />}
      </QueryView>
    </Stack>
  )
}

function Shown({ agentId, run }: { agentId: string; run: Run }) {
  const { t } = useTranslation('tests')
  const { against } = route.useSearch()
  const compared = against !== undefined
  const [onlyChanges, setOnlyChanges] = useState(false)
  const query = useInfiniteQuery(testOutcomesQuery(run.id, against))
  useAllPages(query)
  const { data, hasNextPage, isFetching, isError, refetch } = query
  const outcomes = data?.pages.flatMap(({ testRun }) => testRun.outcomes.nodes) ?? []
  const counted = data?.pages[0]?.testRun.done ?? run.done
  // After all pages have loaded, outcomes older than the run are fetched again.
  useEffect(() => {
    if (counted < run.done && !hasNextPage && !isFetching && !isError) void refetch()
  }, [counted, run.done, hasNextPage, isFetching, isError, refetch])
  const shown = compared && onlyChanges ? outcomes.filter(({ change }) => change !== 'SAME') : outcomes
  return (
    <>
      <Head run={run} agentId={agentId} />
      <Group gap="md" align="flex-end">
        <AgainstSelect agentId={agentId} run={run} />
        {compared && (
          <Switch
            label={t('onlyChanges')}
            mb={6}
            checked={onlyChanges}
            onChange={({ currentTarget: { checked } }) => setOnlyChanges(checked)}
          />
        )}
        {compared && data && (
          <Text role="status" mb={6}>
            {t('changes', countsOf(outcomes))}
          </Text>
        )}
      </Group>
      <QueryView query={query} loading={<TableShape />}>
        {() => <Outcomes run={run} outcomes={shown} compared={compared} />}
      </QueryView>
    </>
  )
}

function Head({ run, agentId }: { run: Run; agentId: string }) {
  const { t } = useTranslation('tests')
  const testedOf = useTested()
  const over = isOver(run)
  const { done, attempts, credits } = run
  const counts = [
    over && t('casesPassed', { passed: formatNumber(run.passed), count: attempts / run.repeats }),
    t(done === attempts ? 'attempts' : 'progress', { done: formatNumber(done), count: attempts }),
    t('credits', { ns: 'common', count: credits, amount: formatNumber(credits) }),
  ]
  return (
    <Paper p="md" component="section" aria-label={t('run', { number: run.number })}>
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Title order={2}>{t('run', { number: run.number })}</Title>
          <StateText {...run} />
          <Text c="dimmed" className="panel-user-text">
            {testedOf(run)}
          </Text>
        </Group>
        <May least="EDITOR">{over ? <DeleteButton run={run} agentId={agentId} /> : <StopButton run={run} />}</May>
      </Group>
      <Text mt="xs" role="status" className="panel-numbers">
        {counts.filter(Boolean).join(' · ')}
      </Text>
      {!over && <Progress mt="xs" size={6} value={(100 * done) / attempts} aria-label={t('progressLabel')} />}
      <Text size="sm" c="dimmed" mt="xs" className="panel-user-text">
        {run.startedBy.name} · <RelativeTime time={run.createdAt} />
      </Text>
    </Paper>
  )
}

function StopButton({ run: { id } }: { run: Run }) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => gql(StopTestRunDocument, { input: { id } }),
    onError: notifyError,
    onSettled: () => refreshRuns(queryClient),
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      {t('stop')}
    </Button>
  )
}

function DeleteButton({ run: { id, number }, agentId }: { run: Run; agentId: string }) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const remove = () =>
    confirm({
      title: t('deleteRunTitle', { number }),
      body: t('deleteRunText'),
      confirmLabel: t('delete'),
      danger: true,
      onConfirm: async () => {
        await gql(DeleteTestRunDocument, { input: { id } })
        await navigate({ to: '/agents/$id/tests', params: { id: agentId } })
        void refreshRuns(queryClient)
        void notifyDone(t('runDeleted', { number }))
      },
    })
  return (
    <Button variant="default" c="var(--bad)" onClick={() => void remove()}>
      {t('delete')}
    </Button>
  )
}

/** Selects one of the newest runs to compare with. */
function AgainstSelect({ agentId, run }: { agentId: string; run: Run }) {
  const { t } = useTranslation('tests')
  const { against } = route.useSearch()
  const navigate = route.useNavigate()
  const testedOf = useTested()
  const query = useInfiniteQuery(testRunsQuery(agentId))
  const runs = query.data?.pages.flatMap(({ agent }) => agent.testRuns.nodes) ?? []
  const choices = runs
    .filter((one) => one.id !== run.id)
    .map((one) => ({ value: one.id, label: `${t('run', { number: one.number })} · ${testedOf(one)}` }))
  if (against && choices.every(({ value }) => value !== against)) choices.push({ value: against, label: '…' })
  return (
    <NativeSelect
      label={t('against')}
      data={[{ value: '', label: t('againstNone') }, ...choices]}
      value={against ?? ''}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: { run: run.id, against: value || undefined }, replace: true, resetScroll: false })
      }
    />
  )
}
