import { Paper, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { EmptyState, ErrorState, Table, TableScroll, useAllPages } from '@/shared/ui'
import { PassesText } from '../list/PassesText'
import { Attempts } from './Attempts'
import { isOver, type Outcome, type Run, testResultsQuery } from './queries'
import { nameOf, reasonsOf } from './reasons'
import { useReasonText } from './useReasonText'

type Props = { run: Run; outcomes: Outcome[]; compared: boolean }

/** The outcomes of a run's cases, worst first. A row opens its attempts. */
export function Outcomes({ run, outcomes, compared }: Props) {
  const { t } = useTranslation('tests')
  const [open, setOpen] = useState<number>()
  const query = useInfiniteQuery({
    // While the run is open, only the opened case is read.
    ...testResultsQuery(run.id, run.done, isOver(run) ? undefined : open),
    enabled: run.done > 0 && (isOver(run) || open !== undefined),
    placeholderData: (before) => before,
  })
  useAllPages(query)
  const results = query.data?.pages.flatMap(({ testRun }) => testRun.results.nodes) ?? []
  const reasons = reasonsOf(results)
  const textOf = useReasonText()
  if (outcomes.length === 0) {
    return (
      <Paper>
        <EmptyState title={t(compared ? 'noChanges' : 'noOutcomes')} />
      </Paper>
    )
  }
  return (
    <Paper style={{ overflow: 'hidden' }}>
      {query.isError && (
        <ErrorState
          error={query.error}
          onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          retrying={query.isFetching}
        />
      )}
      <TableScroll label={t('outcomes')}>
        <Table horizontalSpacing="xs" miw={compared ? 760 : 600} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64} ta="right">
                {t('column.number')}
              </Table.Th>
              <Table.Th>{t('column.name')}</Table.Th>
              {compared && <Table.Th w={100}>{t('before')}</Table.Th>}
              <Table.Th w={100}>{t(compared ? 'after' : 'outcomeColumn')}</Table.Th>
              {compared && <Table.Th w={100}>{t('change')}</Table.Th>}
              <Table.Th>{t('reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {outcomes.map((outcome) => {
              const { caseNumber, before, change } = outcome
              const isOpen = open === caseNumber
              const region = `attempts-${caseNumber}`
              const reason = reasons.get(caseNumber)
              return (
                <Fragment key={caseNumber}>
                  <Table.Tr className="panel-row">
                    <Table.Td data-at="sub" ta={{ base: 'left', sm: 'right' }} className="panel-numbers">
                      <span className="panel-phone">{t('column.number')}</span>
                      {formatNumber(caseNumber)}
                    </Table.Td>
                    <Table.Td data-at="title">
                      <UnstyledButton
                        className="panel-row-link panel-user-text"
                        fw={500}
                        aria-expanded={isOpen}
                        aria-controls={isOpen ? region : undefined}
                        onClick={() => setOpen(isOpen ? undefined : caseNumber)}
                      >
                        {nameOf(outcome) ?? t('textDeleted')}
                      </UnstyledButton>
                    </Table.Td>
                    {compared && <Table.Td data-at="more">{before && <PassesText {...before} />}</Table.Td>}
                    <Table.Td data-at="end">{change !== 'GONE' && <PassesText {...outcome} />}</Table.Td>
                    {compared && (
                      <Table.Td data-at="sub-end">
                        {change && (
                          <Text inherit c={change === 'WORSE' ? 'var(--bad)' : undefined}>
                            {t(`changed.${change}`)}
                          </Text>
                        )}
                      </Table.Td>
                    )}
                    <Table.Td data-at={compared ? 'more-end' : 'more'} className="panel-user-text">
                      <Text inherit lineClamp={2}>
                        {reason && textOf(reason, outcome.case)}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                  {isOpen && (
                    <Table.Tr className="panel-opened">
                      <Table.Td />
                      <Table.Td colSpan={compared ? 5 : 3} id={region}>
                        <Attempts
                          tested={outcome.case}
                          results={results.filter((result) => result.caseNumber === caseNumber)}
                          pending={query.isFetching}
                        />
                      </Table.Td>
                    </Table.Tr>
                  )}
                </Fragment>
              )
            })}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}
