import { Paper, Table, Text } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { AppLink, Credits, TableScroll } from '@/shared/ui'
import type { CreditEntry } from './queries'

const widthNeeded = 780

/** Rows of the history. Names remain after deletion; what still exists is a link. */
export function HistoryTable({ entries }: { entries: readonly CreditEntry[] }) {
  const { t } = useTranslation('credits')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('history')}>
        <Table highlightOnHover miw={widthNeeded} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('time')}</Table.Th>
              <Table.Th>{t('kind')}</Table.Th>
              <Table.Th>{t('agent')}</Table.Th>
              <Table.Th>{t('export')}</Table.Th>
              <Table.Th ta="right">{t('amount')}</Table.Th>
              <Table.Th ta="right">{t('balanceAfter')}</Table.Th>
              <Table.Th>{t('conversation')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** Memoized: of a thousand rows, only those of the next page are rendered. */
const Row = memo(function Row({ entry }: { entry: CreditEntry }) {
  const { t } = useTranslation('credits')
  return (
    <Table.Tr data-testid="credit-entry">
      <Table.Td data-at="sub-end" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime time={entry.createdAt} />
      </Table.Td>
      <Table.Td data-at="title" maw={220}>
        {t(`kinds.${entry.kind}`)}
        {entry.note && (
          <Text size="xs" c="dimmed" className="panel-user-text">
            {entry.note}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="sub" maw={200}>
        <AgentName entry={entry} />
      </Table.Td>
      <Table.Td data-at="more" maw={200}>
        <ExportName entry={entry} />
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <Credits value={entry.amount} signed bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: Math.abs(entry.amount) })} />
      </Table.Td>
      <Table.Td ta="right">
        <Credits value={entry.balanceAfter} bare />
      </Table.Td>
      <Table.Td data-at="more-end">
        {entry.turn ? (
          <AppLink
            to="/conversations/$id"
            params={{ id: entry.turn.conversationId }}
            fz="sm"
            aria-label={t('openConversationOf', { agent: entry.agentName ?? '' })}
          >
            {t('openConversation')}
          </AppLink>
        ) : (
          entry.kind === 'CHARGE' && <Dimmed>{t('deleted')}</Dimmed>
        )}
      </Table.Td>
    </Table.Tr>
  )
})

function AgentName({ entry: { agent, agentName } }: { entry: CreditEntry }) {
  const { t } = useTranslation('credits')
  const name = agentName ?? agent?.name
  if (!name) return null
  if (!agent) return <Gone name={name} what={t('deleted')} />
  return (
    <AppLink to="/agents/$id" params={{ id: agent.id }} className="panel-user-text" fz="sm">
      {name}
    </AppLink>
  )
}

function ExportName({ entry: { kind, export: open, exportName } }: { entry: CreditEntry }) {
  const { t } = useTranslation('credits')
  const name = exportName ?? open?.name
  if (!name) return kind === 'CHARGE' ? <Dimmed>{t('playground')}</Dimmed> : null
  if (!open) return <Gone name={name} what={t('deleted')} />
  return (
    <AppLink to="/exports/$id" params={{ id: open.id }} className="panel-user-text" fz="sm">
      {name}
    </AppLink>
  )
}

function Gone({ name, what }: { name: string; what: string }) {
  return (
    <>
      <span className="panel-user-text">{name}</span> <Dimmed>({what})</Dimmed>
    </>
  )
}

function Dimmed({ children }: { children: ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
