import { Code, Paper, Progress, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { RowLink, TableScroll } from '@/shared/ui'
import { ExportStateBadge } from './ExportStateBadge'
import { isNearly } from './periods'
import type { AccountExport } from './queries'
import { Usage } from './Usage'
import { hints } from './useRemoveExport'

type Props = {
  exports: AccountExport[]
  /** Whether these are removed ones, which have no limits any more. */
  removed: boolean
}

/** Exports of all agents. A row links to the drawer where the export is managed. */
export function ExportsTable({ exports, removed }: Props) {
  const { t } = useTranslation('exports')
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover miw={removed ? 700 : 1000} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="24%">{t('name')}</Table.Th>
              <Table.Th>{t('state')}</Table.Th>
              <Table.Th>{t('keyHint')}</Table.Th>
              {!removed && (
                <>
                  <Table.Th w="18%">{t('usedToday')}</Table.Th>
                  <Table.Th ta="right">{t('rate')}</Table.Th>
                  <Table.Th>{t('version')}</Table.Th>
                  <Table.Th>{t('expires')}</Table.Th>
                </>
              )}
              <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                {t('lastUsed')}
              </Table.Th>
              {removed && <Table.Th ta="right">{t('removed')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {exports.map((row) => (
              <Table.Tr key={row.id} className="panel-row">
                <Table.Td data-at="title">
                  <RowLink to="/agents/$id" params={{ id: row.agent.id }} search={{ node: 'channels' }}>
                    {row.name}
                  </RowLink>
                  <Text size="xs" c="dimmed" className="panel-user-text">
                    {row.agent.name}
                  </Text>
                </Table.Td>
                <Table.Td data-at="end">
                  <ExportStateBadge state={row.state} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Code>{hints(row)}</Code>
                </Table.Td>
                {!removed && <InUse row={row} />}
                <Table.Td data-at="sub-end" ta="right">
                  <RelativeTime time={row.lastUsedAt} />
                </Table.Td>
                {removed && (
                  <Table.Td ta="right">
                    <RelativeTime time={row.removedAt} none={t('none')} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** The use and limits of one that is in use. */
function InUse({ row }: { row: AccountExport }) {
  const { t } = useTranslation('exports')
  const { creditsUsedToday: used, dailyCreditLimit: limit } = row
  return (
    <>
      <Table.Td data-at="sub">
        <Text size="xs" component="div">
          <Usage use={row} brief />
        </Text>
        {limit != null && (
          <Progress
            value={Math.min((used / limit) * 100, 100)}
            color={isNearly(used, limit) ? 'yellow' : 'gray'}
            size={4}
            mt={4}
            aria-hidden
          />
        )}
      </Table.Td>
      <Table.Td ta="right" className="panel-numbers">
        {t('rateShort', { amount: formatNumber(row.rateLimitPerMinute) })}
      </Table.Td>
      <Table.Td>{row.version == null ? t('followsShort') : t('pinned', { number: row.version })}</Table.Td>
      <Table.Td>
        <RelativeTime time={row.expiresAt} mayLieAhead none={t('none')} />
      </Table.Td>
    </>
  )
}
