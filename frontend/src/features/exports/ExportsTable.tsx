import { Badge, Group, Paper, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, isNearly } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
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
import { CreditUsage } from './CreditUsage'
import { type Column, falling } from './columns'
import { ExportStateBadge } from './ExportStateBadge'
import { priceOf, reachedPeriod } from './periods'
import type { AccountExport, AgentExport, PublishedVersion } from './queries'

type Row = AgentExport & Partial<Pick<AccountExport, 'agent' | 'removedAt'>>

type Props = {
  exports: Row[]
  /** Whether these are removed exports, which no longer have limits. */
  removed?: boolean
  /** The published version, if all exports belong to one agent. */
  published?: PublishedVersion
  /** Whether there is room only for the most important columns. */
  narrow?: boolean
  /** Selection and sorting, in the list of the whole account. */
  chosen?: Chosen
  sorting?: { sort: Sort<Column> | undefined; onSort: (next: Sort<Column>) => void }
}

/** The breakpoint below which the table leaves out columns that the export's page shows too. */
const roomy = 'lg'

/** Exports, of one agent or of all. A row leads to the export's page. */
export function ExportsTable({ exports, removed = false, published, narrow = false, chosen, sorting }: Props) {
  const { t } = useTranslation('exports')
  // The account's list has the agent and the month, an agent's list the settings.
  const [ofAll, ofAgent] = [sorting !== undefined, !removed && !narrow && !sorting]
  return (
    <Paper style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table
          highlightOnHover
          miw={narrow ? 520 : { base: 600, [roomy]: removed ? 700 : 840 }}
          className="panel-table"
        >
          <Table.Thead>
            <Table.Tr>
              {chosen && <ChooseAll chosen={chosen} />}
              <Head column="name" sorting={sorting} w="24%">
                {t('name')}
              </Head>
              {ofAll && (
                <Head column="agent" sorting={sorting} w="15%">
                  {t('agent')}
                </Head>
              )}
              <Head column="state" sorting={sorting}>
                {t('state')}
              </Head>
              {!removed && (
                <Head column="today" sorting={sorting} w={{ base: '24%', [roomy]: '18%' }}>
                  {t('usedToday')}
                </Head>
              )}
              {ofAgent && (
                <>
                  <Table.Th ta="right" visibleFrom={roomy}>
                    {t('rate')}
                  </Table.Th>
                  <Table.Th visibleFrom={roomy}>{t('version')}</Table.Th>
                </>
              )}
              {(ofAll || ofAgent) && (
                <Head column="expires" sorting={sorting}>
                  {t('expires')}
                </Head>
              )}
              {ofAll && (
                <Head column="month" sorting={sorting} ta="right" visibleFrom={roomy}>
                  {t('thisMonth')}
                </Head>
              )}
              <Head column="used" sorting={sorting} ta="right" style={{ whiteSpace: 'nowrap' }}>
                {t('lastUsed')}
              </Head>
              {removed && <Table.Th ta="right">{t('removed')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {exports.map((row) => (
              <Table.Tr key={row.id} className="panel-row">
                {chosen && <ChooseRow chosen={chosen} id={row.id} name={row.name} />}
                <Table.Td data-at="title">
                  <RowLink to="/exports/$id" params={{ id: row.id }}>
                    {row.name}
                  </RowLink>
                  {!ofAll && row.agent && (
                    <Text size="xs" c="dimmed" className="panel-user-text" lineClamp={2}>
                      {row.agent.name}
                    </Text>
                  )}
                </Table.Td>
                {ofAll && (
                  <Table.Td data-at="more">
                    <Text size="sm" className="panel-user-text" lineClamp={2}>
                      {row.agent?.name}
                    </Text>
                  </Table.Td>
                )}
                <Table.Td data-at="end">
                  <Group gap={4}>
                    <State row={row} published={published} />
                    {!removed && row.keys.length > 1 && (
                      <Badge variant="default">{t('keyCount', { count: row.keys.length })}</Badge>
                    )}
                  </Group>
                  {ofAll && row.version != null && (
                    <Text size="xs" c="dimmed">
                      {t('pinned', { number: row.version })}
                    </Text>
                  )}
                </Table.Td>
                {!removed && <Used row={row} />}
                {ofAgent && <Settings row={row} />}
                {(ofAll || ofAgent) && (
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <RelativeTime time={row.expiresAt} mayLieAhead none={t('none')} />
                  </Table.Td>
                )}
                {ofAll && (
                  <Table.Td ta="right" visibleFrom={roomy}>
                    <Credits value={row.creditsUsedThisMonth} bare />
                  </Table.Td>
                )}
                <Table.Td data-at="sub-end" ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <RelativeTime time={row.lastUsedAt} none={t('notUsed')} />
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

type HeadProps = Omit<TableThProps, 'onClick'> & Pick<Props, 'sorting'> & { column: Column }

/** The header of a column, which sorts the list of the whole account. */
function Head({ column, sorting, ...th }: HeadProps) {
  return sorting ? (
    <SortHead column={column} {...sorting} falling={falling.includes(column)} {...th} />
  ) : (
    <Table.Th {...th} />
  )
}

/** The state of an export, or that it has reached a limit and refuses messages. */
function State({ row, published }: { row: Row; published?: PublishedVersion }) {
  const { t } = useTranslation('exports')
  const reached = row.state === 'ACTIVE' && reachedPeriod(row, priceOf(published, row.version))
  return reached ? <Badge color="red">{t('limitReached')}</Badge> : <ExportStateBadge state={row.state} />
}

/** The export's usage and its limits. */
function Used({ row }: { row: Row }) {
  const { creditsUsedToday: used, dailyCreditLimit: limit } = row
  return (
    <Table.Td data-at="sub">
      <Text size="xs" component="div">
        <CreditUsage use={row} />
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
  )
}

/** The rate limit and the version of an export in use. */
function Settings({ row }: { row: Row }) {
  const { t } = useTranslation('exports')
  return (
    <>
      <Table.Td ta="right" className="panel-numbers" visibleFrom={roomy}>
        {t('rateShort', { amount: formatNumber(row.rateLimitPerMinute) })}
      </Table.Td>
      <Table.Td visibleFrom={roomy}>
        {row.version == null ? t('followsShort') : t('pinned', { number: row.version })}
      </Table.Td>
    </>
  )
}
