import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '@/shared/format'
import { dateOf, formatClock, formatDay, timeZone, useNow } from '@/shared/time'
import { AppLink, Credits, RowLink, Table, TableScroll } from '@/shared/ui'
import { Status } from './OutcomeBadge'
import type { RequestRow } from './queries'
import classes from './Requests.module.css'

type Props = { rows: RequestRow[]; open: string | undefined }
type Request = RequestRow['node']

/** The log: requests by day, newest first. A row opens the request. */
export function RequestsTable({ rows, open }: Props) {
  const { t } = useTranslation('requests')
  const days = byDay(rows)
  return (
    <Paper className={classes.log}>
      <TableScroll label={t('title')}>
        <Table highlightOnHover horizontalSpacing="xs" className={`panel-table ${classes.table}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={92}>{t('time')}</Table.Th>
              <Table.Th>{t('message')}</Table.Th>
              <Table.Th w={176}>{t('status')}</Table.Th>
              <Table.Th w="12%" className={classes.wide}>
                {t('session')}
              </Table.Th>
              <Table.Th w="12%" className={classes.wide}>
                {t('person')}
              </Table.Th>
              <Table.Th w="15%" className={classes.wide}>
                {t('agent')}
              </Table.Th>
              <Table.Th w={72} ta="right">
                {t('duration')}
              </Table.Th>
              <Table.Th w={64} ta="right">
                {t('credits')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          {days.map(([day, ofDay]) => (
            <Table.Tbody key={day}>
              <Table.Tr className={classes.day}>
                <Table.Th colSpan={5} scope="rowgroup">
                  <DayName at={ofDay[0]?.node.at ?? ''} />
                </Table.Th>
                <Table.Td colSpan={3} className={classes.wide} />
              </Table.Tr>
              {ofDay.map(({ cursor, node }) => (
                <Row key={cursor} request={node} open={open === node.id} />
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

function Row({ request, open }: { request: Request; open: boolean }) {
  const { t } = useTranslation('requests')
  return (
    <Table.Tr className={`panel-row ${classes.row}`} data-row={request.id} data-open={open || undefined}>
      <Table.Td data-at="sub" className="panel-numbers">
        <time dateTime={request.at}>{formatClock(request.at)}</time>
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
      <Table.Td data-at="end">
        <Status request={request} />
      </Table.Td>
      <Table.Td className={classes.wide}>
        <span
          translate="no"
          className={`panel-user-text ${classes.clip} ${classes.id}`}
          title={request.sessionId ?? undefined}
        >
          {request.sessionId}
        </span>
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
      <Table.Td data-at="more" className={classes.wide}>
        <span className={`panel-user-text ${classes.clip}`}>{request.agent?.name}</span>
        {request.export && (
          <AppLink
            to="/exports/$id"
            params={{ id: request.export.id }}
            size="xs"
            c="dimmed"
            className={`panel-user-text panel-row-control ${classes.clip} ${classes.link} ${classes.export}`}
          >
            {request.export.name}
          </AppLink>
        )}
      </Table.Td>
      <Table.Td data-at="sub-end" ta="right" className="panel-numbers">
        {request.durationMs != null && formatDuration(request.durationMs)}
      </Table.Td>
      <Table.Td data-at="more-end" ta="right">
        <Credits value={request.credits} bare />
        <span className="panel-unit" data-unit={t('creditsUnit', { count: request.credits })} />
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
