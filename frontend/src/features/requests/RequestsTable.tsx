import { Code, Paper, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AppLink, Credits, RowLink, TableScroll } from '@/shared/ui'
import { OutcomeBadge } from './OutcomeBadge'
import type { RequestRow } from './queries'

/** Requests. A row opens the request. */
export function RequestsTable({ rows }: { rows: RequestRow[] }) {
  const { t } = useTranslation('requests')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={860} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{t('requestId')}</Table.Th>
              <Table.Th>{t('time')}</Table.Th>
              <Table.Th>{t('outcome')}</Table.Th>
              <Table.Th w="18%">{t('agent')}</Table.Th>
              <Table.Th w="14%">{t('export')}</Table.Th>
              <Table.Th ta="right">{t('duration')}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ cursor, node }) => (
              <Table.Tr key={cursor} className="panel-row">
                <Table.Td data-at="title">
                  <RowLink
                    from="/requests"
                    to="/requests"
                    search={(old) => ({ ...old, id: node.id })}
                    ff="monospace"
                    fz="sm"
                  >
                    {node.requestId}
                  </RowLink>
                </Table.Td>
                <Table.Td data-at="end">
                  <RelativeTime time={node.at} />
                </Table.Td>
                <Table.Td data-at="sub">
                  <OutcomeBadge outcome={node.outcome} />
                  {(node.code || node.replayed) && (
                    <Text size="xs" c="dimmed" component="div" mt={4} className="panel-user-text">
                      {node.code ? <Code fz="xs">{`${node.status} ${node.code}`}</Code> : t('replayed')}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-at="more" className="panel-user-text">
                  {node.agent?.name}
                </Table.Td>
                <Table.Td>
                  {node.export && (
                    <AppLink
                      to="/exports/$id"
                      params={{ id: node.export.id }}
                      inherit
                      className="panel-user-text panel-row-control"
                    >
                      {node.export.name}
                    </AppLink>
                  )}
                </Table.Td>
                <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
                  {node.durationMs != null && t('ms', { amount: formatNumber(node.durationMs) })}
                </Table.Td>
                <Table.Td data-at="more-end" ta="right">
                  <Credits value={node.credits} bare />
                  <span className="panel-unit" data-unit={t('creditsUnit', { count: node.credits })} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}
