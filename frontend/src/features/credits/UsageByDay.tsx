import { Skeleton, Table } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { locale } from '@/shared/i18n'
import { formatDate } from '@/shared/time'
import { TableScroll } from '@/shared/ui'
import type { UsagePoint } from './queries'

const UsageChart = lazy(() => import('./UsageChart'))

export function usageSum(points: readonly UsagePoint[]) {
  return points.reduce(
    (sum, { credits, messages }) => ({ credits: sum.credits + credits, messages: sum.messages + messages }),
    { credits: 0, messages: 0 },
  )
}

/** Usage by day, as a chart or as a table with the same figures. */
export function UsageByDay({ points, asTable = false }: { points: readonly UsagePoint[]; asTable?: boolean }) {
  const { t } = useTranslation('credits')
  if (asTable) return <UsageTable points={points} />
  const short = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' })
  const bars = points.map((point) => ({ ...point, day: short.format(new Date(point.start)) }))
  const sum = usageSum(points)
  const summary = t('chartSummary', {
    count: points.length,
    credits: formatNumber(sum.credits),
    messages: formatNumber(sum.messages),
  })
  return (
    <Suspense fallback={<Skeleton height={220} className="panel-late" />}>
      <UsageChart bars={bars} label={t('chartCredits')} summary={summary} />
    </Suspense>
  )
}

function UsageTable({ points }: { points: readonly UsagePoint[] }) {
  const { t } = useTranslation('credits')
  const sum = usageSum(points)
  return (
    <TableScroll label={t('usage')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('day')}</Table.Th>
            <Table.Th ta="right">{t('chartCredits')}</Table.Th>
            <Table.Th ta="right">{t('messages')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="panel-numbers">
          {[...points].reverse().map(({ start, credits, messages }) => (
            <Table.Tr key={start}>
              <Table.Td>{formatDate(start)}</Table.Td>
              <Table.Td ta="right">{formatNumber(credits)}</Table.Td>
              <Table.Td ta="right">{formatNumber(messages)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot className="panel-numbers">
          <Table.Tr>
            <Table.Th scope="row">{t('sum')}</Table.Th>
            <Table.Td ta="right">{formatNumber(sum.credits)}</Table.Td>
            <Table.Td ta="right">{formatNumber(sum.messages)}</Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </TableScroll>
  )
}
