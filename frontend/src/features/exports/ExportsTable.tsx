import { Code, Paper, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { RowLink, TableScroll } from '@/shared/ui'
import { ExportStateBadge } from './ExportStateBadge'
import type { AccountExport } from './queries'
import { Usage } from './Usage'
import { hints } from './useRemoveExport'

/** Exports of all agents. A row links to the drawer where the export is managed. */
export function ExportsTable({ exports }: { exports: AccountExport[] }) {
  const { t } = useTranslation('exports')
  const versionOf = ({ state, version }: AccountExport) => {
    if (state === 'REMOVED') return t('none')
    return version == null ? t('follows') : t('pinned', { number: version })
  }
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={1000} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="18%">{t('name')}</Table.Th>
              <Table.Th w="16%">{t('agent')}</Table.Th>
              <Table.Th>{t('state')}</Table.Th>
              <Table.Th>{t('version')}</Table.Th>
              <Table.Th>{t('keyHint')}</Table.Th>
              <Table.Th>{t('created')}</Table.Th>
              <Table.Th>{t('lastUsed')}</Table.Th>
              <Table.Th>{t('removed')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {exports.map((row) => (
              <Table.Tr key={row.id} className="panel-row">
                <Table.Td data-at="title">
                  <RowLink to="/agents/$id" params={{ id: row.agent.id }} search={{ node: 'channels' }}>
                    {row.name}
                  </RowLink>
                </Table.Td>
                <Table.Td data-at="sub" className="panel-user-text">
                  {row.agent.name}
                </Table.Td>
                <Table.Td data-at="end">
                  <ExportStateBadge state={row.state} />
                  {row.state !== 'REMOVED' && (
                    <Text size="xs" c="dimmed" component="div" mt={4}>
                      <Usage use={row} brief />
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{versionOf(row)}</Table.Td>
                <Table.Td className="panel-user-text">
                  <Code>{hints(row)}</Code>
                </Table.Td>
                <Table.Td>
                  <RelativeTime time={row.createdAt} />
                </Table.Td>
                <Table.Td data-at="sub-end">
                  <RelativeTime time={row.lastUsedAt} />
                </Table.Td>
                <Table.Td>
                  <RelativeTime time={row.removedAt} none={t('none')} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}
