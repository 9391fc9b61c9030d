import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { startOfMonth, useNow } from '@/shared/time'
import type { Counts, UsageData } from '../queries'
import { paceOf } from '../range'
import classes from '../Usage.module.css'
import { monthText, spanText } from '../useNames'
import { useUsageSearch } from '../useUsageSearch'
import { Compared } from './Compared'
import { countOf } from './series'

type Sum = Counts & { durationP50Ms?: number | null; durationP95Ms?: number | null }
type Props = { data: UsageData; total: UsageData['total'][number] }

/** What the period came to, where the month is going, and what there was before. */
export function Figures({ data, total }: Props) {
  const { t } = useTranslation('usage')
  const { show } = useUsageSearch()
  const now = useNow()
  const { asked, split } = data
  const pace = show === 'time' ? undefined : paceOf(countOf(split, show, total), asked, now)
  const earlier = data.whole?.[0] ?? data.before[0]
  return (
    <div className={`${classes.figures} panel-numbers`}>
      <div>
        <Text c="dimmed">{spanText(asked, now)}</Text>
        <Title order={2} id="usage-sum" fz={26} lh="32px" className="panel-figure">
          <Amount data={data} of={total} />
        </Title>
        <Compared data={data} total={total} />
      </div>
      {pace !== undefined && pace > 0 && (
        <Figure name={t('pace', { month: monthText(asked.from) })}>
          {t('about', { amount: formatNumber(roughly(pace)) })}
        </Figure>
      )}
      {earlier && (
        <Figure name={earlierName(data, t)}>
          <Amount data={data} of={earlier} bare />
        </Figure>
      )}
    </div>
  )
}

function earlierName(
  { asked: { before, whole = before } }: UsageData,
  t: ReturnType<typeof useTranslation<'usage'>>['t'],
) {
  const start = Date.parse(whole.from)
  const isMonth = whole.from === startOfMonth(start) && whole.to === startOfMonth(start, 1)
  return isMonth ? t('whole', { month: monthText(whole.from) }) : t('before')
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text c="dimmed">{name}</Text>
      <Text fz={18} lh="32px" className="panel-figure">
        {children}
      </Text>
    </div>
  )
}

/** A sum with its unit; or the median time to reply, with the time of the slow ones. */
function Amount({ data: { split }, of, bare = false }: { data: UsageData; of: Sum; bare?: boolean }) {
  const { t } = useTranslation('usage')
  const { show } = useUsageSearch()
  const unit = (text: string) => !bare && <small className={classes.unit}>{text}</small>
  if (show === 'time') {
    if (of.durationP50Ms == null) return t('noTime')
    return (
      <>
        {formatDuration(of.durationP50Ms)}{' '}
        {of.durationP95Ms != null && unit(t('medianUnit', { p95: formatDuration(of.durationP95Ms) }))}
      </>
    )
  }
  const count = countOf(split, show, of)
  const name = split === 'status' && show === 'messages' ? 'requests' : show
  const messages = formatNumber(of.messages)
  return (
    <>
      {formatNumber(count)} {unit(t(`units.${name}`, { count, messages }))}
    </>
  )
}

/** A pace is known to about two digits. */
function roughly(value: number): number {
  const step = 10 ** Math.max(Math.floor(Math.log10(value)) - 1, 0)
  return Math.round(value / step) * step
}
