import { Paper, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { followFirstPage } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { Credits, QueryView, RowLink, ShowMore, Table, TableScroll, TableShape } from '@/shared/ui'
import { type ListedRun, testRunsQuery } from './queries'
import { StateText } from './StateText'
import { useTested } from './useTested'

/** An agent's runs, newest first. Renders nothing without runs. */
export function Runs({ agentId }: { agentId: string }) {
  const { t } = useTranslation('tests')
  const query = useInfiniteQuery({ ...testRunsQuery(agentId), refetchInterval: followFirstPage })
  return (
    <QueryView query={query} loading={<TableShape columns={5} />}>
      {({ pages }) => {
        const runs = pages.flatMap(({ agent }) => agent.testRuns.nodes)
        if (runs.length === 0) return null
        return (
          <>
            <Title order={2}>{t('runs')}</Title>
            <ShowMore query={query}>
              <Paper style={{ overflow: 'hidden' }}>
                <TableScroll label={t('runs')}>
                  <Table highlightOnHover horizontalSpacing="xs" miw={640} className="panel-table">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th w={100}>{t('runColumn.run')}</Table.Th>
                        <Table.Th>{t('runColumn.tested')}</Table.Th>
                        <Table.Th w={190}>{t('runColumn.state')}</Table.Th>
                        <Table.Th w={110}>{t('runColumn.passed')}</Table.Th>
                        <Table.Th w={80} ta="right">
                          {t('runColumn.credits')}
                        </Table.Th>
                        <Table.Th w={120} ta="right">
                          {t('runColumn.started')}
                        </Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {runs.map((run) => (
                        <Row key={run.id} agentId={agentId} run={run} />
                      ))}
                    </Table.Tbody>
                  </Table>
                </TableScroll>
              </Paper>
            </ShowMore>
          </>
        )
      }}
    </QueryView>
  )
}

function Row({ agentId, run }: { agentId: string; run: ListedRun }) {
  const { t } = useTranslation('tests')
  const testedOf = useTested()
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <RowLink to="/agents/$id/tests" params={{ id: agentId }} search={{ run: run.id }}>
          {t('run', { number: run.number })}
        </RowLink>
      </Table.Td>
      <Table.Td data-at="sub" className="panel-user-text">
        {testedOf(run)}
      </Table.Td>
      <Table.Td data-at="end">
        <StateText {...run} />
      </Table.Td>
      <Table.Td data-at="more" className="panel-numbers">
        {t('ofCases', { passed: formatNumber(run.passed), count: run.attempts / run.repeats })}
      </Table.Td>
      <Table.Td data-at="more-end" ta="right">
        <Credits value={run.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: run.credits })} />
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right">
        <RelativeTime time={run.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
}
