import { Badge, Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dayMs, formatRelative, RelativeTime, useNow } from '@/shared/time'
import {
  ChooseAll,
  ChooseRow,
  type Chosen,
  Credits,
  RowLink,
  type Sort,
  SortHead,
  Table,
  TableScroll,
  type TableThProps,
} from '@/shared/ui'
import { ExportStateBadge } from '../ExportStateBadge'
import { priceOf, reachedPeriod } from '../periods'
import { type AccountExport, type AgentExport, endOfKey, type PublishedVersion } from '../queries'
import { type Column, falling } from './columns'
import { NearestLimit } from './NearestLimit'

type Row = AgentExport & Partial<Pick<AccountExport, 'agent' | 'removedAt'>>

type Props = {
  exports: Row[]
  /** Whether these are removed exports, which no longer have limits. */
  removed?: boolean
  /** The agent's published version, if all exports belong to one agent. */
  published?: PublishedVersion
  chosen?: Chosen
  /** The order of a list that the service sorts. */
  sorting?: { sort: Sort<Column>; onSort: (next: Sort<Column>) => void }
}

/** Exports, of one agent or of all. A row leads to the export's page. Below `lg` it leaves out what that page shows too. */
export function ExportsTable({ exports, removed = false, published, chosen, sorting }: Props) {
  const { t } = useTranslation('exports')
  const ofAgent = published !== undefined
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover horizontalSpacing="xs" miw={ofAgent ? 560 : 680} className="panel-table">
          <Table.Thead>
            <Table.Tr>
              {chosen && <ChooseAll chosen={chosen} />}
              <Head column="name" sorting={sorting} miw={140}>
                {t('name')}
              </Head>
              {!ofAgent && <Table.Th w={170}>{t('agent')}</Table.Th>}
              <Table.Th w={80} visibleFrom="lg">
                {t('keyNames.only')}
              </Table.Th>
              <Table.Th w={140}>{t('state')}</Table.Th>
              {removed ? (
                <Table.Th w={110}>{t('removed')}</Table.Th>
              ) : (
                <>
                  <Table.Th w={150}>{t('limit')}</Table.Th>
                  <Head column="today" sorting={sorting} w={90} ta="right" visibleFrom="lg">
                    {t('usedToday')}
                  </Head>
                  <Head column="month" sorting={sorting} w={100} ta="right">
                    {t('thisMonth')}
                  </Head>
                </>
              )}
              <Head column="used" sorting={sorting} w={110} ta="right">
                {t('lastUsed')}
              </Head>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {exports.map((row) => (
              <Table.Tr key={row.id} className="panel-row">
                {chosen && <ChooseRow chosen={chosen} id={row.id} name={row.name} />}
                <Table.Td data-at="title">
                  <RowLink to="/exports/$id" params={{ id: row.id }} lineClamp={2}>
                    {row.name}
                  </RowLink>
                </Table.Td>
                {!ofAgent && (
                  <Table.Td data-at="sub">
                    <Text inherit className="panel-user-text" lineClamp={2}>
                      {row.agent?.name}
                    </Text>
                  </Table.Td>
                )}
                <Table.Td visibleFrom="lg">
                  <code translate="no">{row.keys[0] && endOfKey(row.keys[0].hint)}</code>
                </Table.Td>
                <Table.Td data-at="end">
                  <State row={row} published={published} />
                </Table.Td>
                {removed ? (
                  <Table.Td data-at="sub-end">
                    <span className="panel-phone">{t('removed')} </span>
                    <RelativeTime time={row.removedAt} none={t('none')} />
                  </Table.Td>
                ) : (
                  <>
                    <Table.Td data-at={ofAgent ? 'sub' : undefined}>
                      <NearestLimit row={row} />
                    </Table.Td>
                    <Table.Td ta="right" visibleFrom="lg">
                      <Credits value={row.creditsUsedToday} bare />
                    </Table.Td>
                    <Table.Td data-at="sub-end" ta="right">
                      <span className="panel-phone">{t('thisMonth')} </span>
                      <Credits value={row.creditsUsedThisMonth} bare />
                      <span className="panel-unit" data-unit={t('creditsUnit', { count: row.creditsUsedThisMonth })} />
                    </Table.Td>
                  </>
                )}
                <Table.Td ta="right">
                  <RelativeTime time={row.lastUsedAt} none={t('notUsed')} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Paper>
  )
}

type HeadProps = Omit<TableThProps, 'onClick'> & Pick<Props, 'sorting'> & { column: Column }

/** The head of a column, which sorts the list of the account. */
function Head({ column, sorting, ...th }: HeadProps) {
  return sorting ? (
    <SortHead column={column} {...sorting} falling={falling.includes(column)} {...th} />
  ) : (
    <Table.Th {...th} />
  )
}

/** How long before its end a row says when an export expires. */
const soonMs = 30 * dayMs

/** The state of an export, and whether it has reached a limit, expires soon, or has two keys. */
function State({ row, published }: { row: Row; published?: PublishedVersion }) {
  const { t } = useTranslation('exports')
  const now = useNow()
  const reached = row.state === 'ACTIVE' && reachedPeriod(row, priceOf(published, row.version))
  const end = Date.parse(row.expiresAt ?? '')
  const expires = (row.state === 'ACTIVE' || row.state === 'PAUSED') && end > now && end < now + soonMs
  return (
    <Group gap={4}>
      {reached && <Badge color="red">{t('limitReached')}</Badge>}
      {/* An export that expires soon is active unless another state is shown. */}
      {!reached && !(expires && row.state === 'ACTIVE') && <ExportStateBadge state={row.state} />}
      {expires && <Badge color="yellow">{t('expiresSoon', { when: formatRelative(end, now) })}</Badge>}
      {row.state !== 'REMOVED' && row.keys.length > 1 && (
        <Badge variant="default">{t('keyCount', { count: row.keys.length })}</Badge>
      )}
    </Group>
  )
}
