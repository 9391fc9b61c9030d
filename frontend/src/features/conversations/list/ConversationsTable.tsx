import { Paper, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AgentMark, AppLink, Credits, RowLink, Table, TableScroll } from '@/shared/ui'
import classes from '../Conversations.module.css'
import { addressOf, type Hit, type ListedConversation } from '../queries'
import { Passage } from './Passage'

type Props = {
  rows: ListedConversation[]
  /** What was searched for, and where it was found, by the conversation's id. */
  text?: string
  hits: Map<string, Hit[]>
}

export function ConversationsTable({ rows, text, hits }: Props) {
  const { t } = useTranslation('conversations')
  const agents = rows.some(({ agent }) => agent)
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={560} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="50%">{t('label')}</Table.Th>
              {agents && <Table.Th w="20%">{t('agent')}</Table.Th>}
              <Table.Th>{t('source')}</Table.Th>
              <Table.Th ta="right">{t('turns')}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
              <Table.Th ta="right">{t('latest')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} text={text} hits={hits.get(row.id)} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** Memoized: of a thousand rows, only the fifty of the next page are rendered. */
const Row = memo(function Row({ row, text, hits = [] }: { row: ListedConversation; text?: string; hits?: Hit[] }) {
  const { t } = useTranslation('conversations')
  const [first] = hits
  return (
    <Table.Tr className="panel-row">
      <Table.Td data-at="title">
        <div className={classes.title}>
          <RowLink
            to="/activity/conversations/$id"
            params={{ id: row.id }}
            search={first && addressOf(first, text)}
            lineClamp={1}
            translate="no"
          >
            {row.sessionId}
          </RowLink>
          {row.failedTurns > 0 && (
            <span className={classes.failed}>
              <IconAlertCircle size={14} aria-hidden /> {t('failedTurns', { count: row.failedTurns })}
            </span>
          )}
        </div>
        {hits.map((hit) => (
          <Passage key={`${hit.number} ${hit.inReply}`} id={row.id} text={text} hit={hit} />
        ))}
        {!first && (
          <Text size="sm" c="dimmed" lineClamp={1} className="panel-user-text">
            {row.preview}
          </Text>
        )}
        {row.userId != null && (
          <Text size="xs" c="dimmed" component="div" className={classes.person}>
            {t('endUser')}{' '}
            <AppLink
              to="/activity/people/person"
              search={{ id: row.userId }}
              inherit
              title={row.userId}
              translate="no"
              className="panel-user-text panel-row-control"
            >
              {row.userId}
            </AppLink>
          </Text>
        )}
      </Table.Td>
      {row.agent && (
        <Table.Td data-at="sub">
          <span className={classes.agent}>
            <AgentMark name={row.agent.name} />
            <Text span inherit lineClamp={2} className="panel-user-text">
              {row.agent.name}
            </Text>
          </span>
        </Table.Td>
      )}
      <Table.Td data-at={row.agent ? undefined : 'sub'}>{t(`sources.${row.source}`)}</Table.Td>
      <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
        {formatNumber(row.turnCount)}
        <span className="panel-unit" data-unit={t('turnsUnit', { count: row.turnCount })} />
      </Table.Td>
      <Table.Td ta="right">
        <Credits value={row.credits} bare />
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <RelativeTime time={row.lastTurnAt} />
      </Table.Td>
    </Table.Tr>
  )
})
