import { Badge, Paper, Text } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { Credits, RowLink, Table } from '@/shared/ui'
import classes from '../Conversations.module.css'
import type { Filters } from '../filters'
import { addressOf, type ConversationRow, type Hit } from '../queries'
import { Visitor } from '../Visitor'
import { Passage } from './Passage'

type Props = {
  rows: ConversationRow[]
  /** The filters of the list next to which a row opens. */
  opens: Filters
  /** Where the searched text was found, by the conversation's ID. */
  hits: Map<string, Hit[]>
}

/** A table; in a narrow place, a list of rows with two lines. */
export function ConversationsTable({ rows, opens, hits }: Props) {
  const { t } = useTranslation('conversations')
  return (
    <Paper className={classes.list}>
      <Table
        highlightOnHover
        columns={[{ min: 200 }, !opens.agent && 160, 64, 72, 110]}
        rows="two"
        className={classes.table}
        aria-label={t('title')}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('conversationTitle')}</Table.Th>
            {!opens.agent && <Table.Th>{t('agent')}</Table.Th>}
            <Table.Th ta="right">{t('turns')}</Table.Th>
            <Table.Th ta="right">{t('credits')}</Table.Th>
            <Table.Th ta="right">{t('latest')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} opens={opens} hits={hits.get(row.id)} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

type RowProps = { row: ConversationRow; opens: Filters; hits?: Hit[] }

/** Memoized: of a thousand rows, only the fifty of the next page are rendered. */
const Row = memo(function Row({ row, opens, hits = [] }: RowProps) {
  const { t } = useTranslation('conversations')
  const [first] = hits
  return (
    <Table.Tr className="panel-row" data-row={row.id}>
      <Table.Td>
        <div className={classes.title}>
          <RowLink
            to="/activity/conversations/$id"
            params={{ id: row.id }}
            search={{ ...opens, ...(first && addressOf(first)) }}
            activeOptions={{ includeSearch: false }}
            resetScroll={false}
            fw={600}
            translate="no"
          >
            {opens.userId === undefined ? (row.userId ?? <Visitor session={row.sessionId} />) : row.sessionId}
          </RowLink>
          {row.failedTurns > 0 && (
            <Badge size="sm" color="red" className={classes.tag}>
              {t('failed')}
            </Badge>
          )}
          {row.source !== 'API' && (
            <Badge size="sm" color="gray" className={classes.tag}>
              {t(`sources.${row.source}`)}
            </Badge>
          )}
        </div>
        {hits.map((hit) => (
          <Passage key={`${hit.number} ${hit.inReply}`} id={row.id} opens={opens} hit={hit} />
        ))}
        {!first && (
          <Text size="sm" c="var(--text-2)" lineClamp={1} className="panel-user-text">
            {row.preview}
          </Text>
        )}
      </Table.Td>
      {!opens.agent && (
        <Table.Td>
          <Text inherit lineClamp={2} className="panel-user-text">
            {row.agent.name}
          </Text>
        </Table.Td>
      )}
      <Table.Td ta="right" className="panel-numbers">
        {formatNumber(row.turnCount)}
      </Table.Td>
      <Table.Td ta="right">
        <Credits value={row.credits} bare />
      </Table.Td>
      <Table.Td ta="right">
        <RelativeTime time={row.lastTurnAt} short />
      </Table.Td>
    </Table.Tr>
  )
})
