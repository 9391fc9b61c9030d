import { Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Times } from '@/features/usage'
import { dateOf, formatClock, formatMinute } from '@/shared/time'
import { AgentMark, AppLink, Credits, FormError, PendingButton, QueryView, Table } from '@/shared/ui'
import classes from './Credits.module.css'
import type { Day } from './days'
import { filterOf } from './filter'
import { AgentName, ExportName } from './names'
import { type CreditEntry, entriesQuery } from './queries'
import { useCreditSearch } from './useCreditSearch'

type Props = { day: Day; interval: Times['interval'] }

/** What was charged and added in an open row, newest first. */
export function Entries({ day, interval }: Props) {
  const { search } = useCreditSearch()
  const query = useInfiniteQuery(entriesQuery(filterOf(search, day)))
  if (!query.data) {
    return (
      <Table.Tr className={classes.wide}>
        <Table.Td colSpan={5} data-at="title">
          <QueryView query={query}>{() => null}</QueryView>
        </Table.Td>
      </Table.Tr>
    )
  }
  const entries = query.data.pages.flatMap(({ viewer }) => viewer.creditHistory.nodes)
  return (
    <>
      {entries.length > 0 && (
        <Table.Tr className={classes.wide}>
          <Table.Td colSpan={5} data-at="title" p={0}>
            <Table className={`panel-table ${classes.entries}`}>
              <Table.Tbody>
                {entries.map((entry) => (
                  <Row key={entry.id} entry={entry} withDay={interval === 'MONTH'} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.Td>
        </Table.Tr>
      )}
      <More day={day} query={query} />
    </>
  )
}

type MoreProps = { day: Day; query: ReturnType<typeof useInfiniteQuery> }

/** The next page, and the log of the same days. */
function More({ day, query }: MoreProps) {
  const { t } = useTranslation('credits')
  const { search } = useCreditSearch()
  const days = { from: dateOf(day.from), to: dateOf(Date.parse(day.to) - 1) }
  if (!query.hasNextPage && day.messages === 0) return null
  return (
    <Table.Tr className={classes.wide}>
      <Table.Td colSpan={5} data-at="title" className={classes.inner}>
        <FormError error={query.isFetchNextPageError ? query.error : undefined} />
        <Group gap="md">
          {query.hasNextPage && (
            <PendingButton
              variant="default"
              size="xs"
              pending={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t('showMore', { ns: 'common' })}
            </PendingButton>
          )}
          {day.messages > 0 && (
            <AppLink
              to="/activity/requests"
              search={{ agentId: search.agent, exportId: search.export, outcome: 'ANSWERED', ...days }}
              fz="sm"
            >
              {t('allRequests')}
            </AppLink>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

/** Memoized: of many rows, only those of the next page are rendered. */
const Row = memo(function Row({ entry, withDay }: { entry: CreditEntry; withDay: boolean }) {
  const { amount, createdAt, balanceAfter, agent } = entry
  return (
    <Table.Tr data-testid="credit-entry">
      <Table.Td data-at="more" w={withDay ? 140 : 120} className={classes.inner}>
        <Text span inherit c="dimmed" className={classes.time}>
          <time dateTime={createdAt}>{withDay ? formatMinute(createdAt) : formatClock(createdAt)}</time>
        </Text>
      </Table.Td>
      <Table.Td data-at="sub" w={220}>
        <Group gap="xs" wrap="nowrap">
          {agent && <AgentMark name={agent.name} />}
          <div className={classes.who}>
            <AgentName entry={entry} />
            <ExportName entry={entry} />
          </div>
        </Group>
      </Table.Td>
      <Table.Td data-at="title">
        <Words entry={entry} />
      </Table.Td>
      <Table.Td data-at="end" w={104} ta="right">
        <Credits value={amount} signed bare c={amount > 0 ? 'var(--ok)' : undefined} />
      </Table.Td>
      <Table.Td data-at="sub-end" w={112} ta="right">
        <Credits value={balanceAfter} bare c="dimmed" />
      </Table.Td>
    </Table.Tr>
  )
})

/** The first words of the message, leading to it; or what an addition is for. */
function Words({ entry: { kind, note, turn } }: { entry: CreditEntry }) {
  const { t } = useTranslation('credits')
  if (kind !== 'CHARGE') {
    return (
      <span className="panel-user-text">
        {t(`kinds.${kind}`)}
        {note && (
          <Text span inherit c="dimmed">
            {' '}
            {note}
          </Text>
        )}
      </span>
    )
  }
  if (!turn) {
    return (
      <Text span inherit c="dimmed">
        {t('conversationDeleted')}
      </Text>
    )
  }
  return (
    <AppLink
      to="/activity/conversations/$id"
      params={{ id: turn.conversationId }}
      search={{ turn: turn.number }}
      inherit
      c="var(--text)"
      lineClamp={1}
      className="panel-user-text"
    >
      {turn.request?.preview?.trim() || t('testMessage')}
    </AppLink>
  )
}
