import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import { dateOf, formatClock, formatDay, timeZone, useNow } from '@/shared/time'
import { AppLink, Credits, RowLink, Table, TableScroll } from '@/shared/ui'
import { Status } from './OutcomeBadge'
import type { RequestRow } from './queries'
import classes from './Requests.module.css'

type Props = { rows: RequestRow[]; open: string | undefined; ofAgent: boolean }
type Request = RequestRow['node']

/** The log: requests by day, newest first. A row opens the request. An agent's own log has no column of agents. */
export function RequestsTable({ rows, open, ofAgent }: Props) {
  const { t } = useTranslation('requests')
  const days = byDay(rows)
  return (
    <Paper className={classes.log} data-beside={open !== undefined || undefined}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover horizontalSpacing="xs" className={`panel-table ${classes.table}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={84}>{t('time')}</Table.Th>
              <Table.Th w={190}>{t('status')}</Table.Th>
              <Table.Th>{t('message')}</Table.Th>
              <Table.Th w={150} className={classes.wide}>
                {t('person')}
              </Table.Th>
              {!ofAgent && (
                <Table.Th w={150} className={classes.roomy}>
                  {t('agent')}
                </Table.Th>
              )}
              <Table.Th w={80} ta="right" className={classes.roomy}>
                {t('duration')}
              </Table.Th>
              <Table.Th w={64} ta="right" className={classes.roomy}>
                {t('credits')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          {days.map(([day, ofDay]) => (
            <Table.Tbody key={day}>
              <Table.Tr className={classes.day}>
                <Table.Th colSpan={3} scope="rowgroup">
                  <DayName at={ofDay[0]?.node.at ?? ''} />
                </Table.Th>
                <Table.Td className={classes.wide} />
                <Table.Td colSpan={ofAgent ? 2 : 3} className={classes.roomy} />
              </Table.Tr>
              {ofDay.map(({ cursor, node }) => (
                <Row key={cursor} request={node} open={open === node.id} ofAgent={ofAgent} />
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </TableScroll>
    </Paper>
  )
}

/** The rows of each local day. */
function byDay(rows: RequestRow[]): [string, RequestRow[]][] {
  const days: [string, RequestRow[]][] = []
  for (const row of rows) {
    const day = dateOf(row.node.at)
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(row)
    else days.push([day, [row]])
  }
  return days
}

function DayName({ at }: { at: string }) {
  const { t } = useTranslation('requests')
  const today = dateOf(at) === dateOf(useNow())
  return [today ? t('today', { date: formatDay(at) }) : formatDay(at), timeZone()].filter(Boolean).join(' · ')
}

type RowProps = { request: Request; open: boolean; ofAgent: boolean }

function Row({ request, open, ofAgent }: RowProps) {
  return (
    <Table.Tr className={`panel-row ${classes.row}`} data-row={request.id} data-open={open || undefined}>
      <Table.Td data-at="sub" className="panel-numbers">
        <time dateTime={request.at}>{formatClock(request.at)}</time>
        {!ofAgent && request.agent && (
          <span className="panel-phone">
            {' · '}
            <span className="panel-user-text">{request.agent.name}</span>
          </span>
        )}
      </Table.Td>
      <Table.Td data-at="end">
        <Status request={request} />
      </Table.Td>
      <Table.Td data-at="title">
        <RowLink
          to="."
          search={(old) => ({ ...old, id: request.id })}
          resetScroll={false}
          activeOptions={{ exact: true }}
          fw={400}
          fz="sm"
          c={request.preview == null ? 'dimmed' : 'var(--text)'}
          className={classes.clip}
        >
          <Words request={request} />
        </RowLink>
      </Table.Td>
      <Table.Td className={classes.wide}>
        {request.userId != null && (
          <AppLink
            to="/activity/people/person"
            search={{ id: request.userId }}
            inherit
            title={request.userId}
            translate="no"
            className={`panel-user-text panel-row-control ${classes.clip} ${classes.link}`}
          >
            {request.userId}
          </AppLink>
        )}
      </Table.Td>
      {!ofAgent && (
        <Table.Td className={classes.roomy}>
          <span className={`panel-user-text ${classes.clip}`}>{request.agent?.name}</span>
        </Table.Td>
      )}
      <Table.Td data-at="sub-end" ta="right" className={`panel-numbers ${classes.roomy}`}>
        {request.durationMs != null && formatDuration(request.durationMs)}
        <span className="panel-phone">
          {request.durationMs != null && ' · '}
          <Credits value={request.credits} />
        </span>
      </Table.Td>
      <Table.Td ta="right" className={classes.roomy}>
        <Credits value={request.credits} bare />
      </Table.Td>
    </Table.Tr>
  )
}

/** The first words of the message, or that there were results in its place. A refused request has its reason instead, and a deleted one says so. */
function Words({ request: { preview, outcome, detail, code } }: { request: Request }) {
  const { t } = useTranslation('requests')
  if (preview === '') return t('results')
  if (preview != null) return preview.trim() || '–'
  return outcome === 'REFUSED' ? (detail ?? code) : t('deleted')
}
