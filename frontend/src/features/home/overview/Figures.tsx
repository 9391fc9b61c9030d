import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Outlook, useOutlook } from '@/features/credits'
import {
  countChange,
  durationOf,
  formatNumber,
  formatShare,
  isPoor,
  successChange,
  successOf,
  timeChange,
} from '@/shared/format'
import { AppLink, Sparkline } from '@/shared/ui'
import classes from '../Home.module.css'
import { creditsLink, figureLinks } from '../links'
import type { HomeUsage } from '../usage'
import { ChangeText } from './ChangeText'
import { linesOf } from './lines'

/** A rate of success is drawn from here up, or nobody would see it fall. */
const lowestDrawn = 0.8

/** The four figures, each a link to what is behind it. */
export function Figures({ data }: { data: HomeUsage }) {
  const { t } = useTranslation('home')
  const [now] = data.usage.now
  const [before] = data.usage.before
  const lines = linesOf(data)
  const links = figureLinks(data)
  if (!now || !before) return null

  const median = (ms: number | null | undefined) => {
    const { value, unit } = amountOf(ms)
    return { value, unit: unit && `${unit} ${t('median')}` }
  }
  const success = successOf(now)
  const shares = [...lines.success.now, ...lines.success.before].filter((share) => share !== null)
  return (
    <section className={`panel-box ${classes.figures}`} aria-label={t(`periods.${data.range}`)}>
      <Figure
        link={links.messages}
        label={t('messages')}
        value={formatNumber(now.messages)}
        line={<Sparkline {...lines.messages} />}
      >
        <ChangeText
          range={data.range}
          change={countChange(now.messages, before.messages, before.messages)}
          unit="percent"
        >
          {t(`${before.messages > 0 ? 'before' : 'first'}.${data.range}`, { amount: formatNumber(before.messages) })}
        </ChangeText>
      </Figure>
      <Figure
        link={links.success}
        label={t('success')}
        value={success === null ? '–' : formatShare(success)}
        line={<Sparkline {...lines.success} lowest={Math.min(lowestDrawn, ...shares)} bad={isPoor(now)} />}
      >
        <ChangeText range={data.range} change={successChange(now, before)} unit="points">
          {t('notAnswered', { failed: formatNumber(now.failed), refused: formatNumber(now.refused) })}
        </ChangeText>
      </Figure>
      <Figure
        link={links.time}
        label={t('time')}
        {...median(now.durationP50Ms)}
        beside={now.durationP95Ms != null && <Slow ms={now.durationP95Ms} />}
        line={<Sparkline {...lines.median} second={lines.slow} />}
      >
        <ChangeText range={data.range} change={timeChange(now, before)} unit="time">
          {now.durationP50Ms == null && t('noReplies')}
        </ChangeText>
      </Figure>
      <CreditsLeft used={now.credits} line={<Sparkline {...lines.credits} />} />
    </section>
  )
}

function CreditsLeft({ used, line }: { used: number; line: ReactNode }) {
  const { t } = useTranslation('home')
  const outlook = useOutlook()
  return (
    <Figure
      link={creditsLink}
      label={t('creditsLeft')}
      value={outlook ? formatNumber(outlook.available) : '…'}
      line={line}
      testId="home-available"
    >
      {outlook && <DaysLeft outlook={outlook} />}
      <span>{t('used', { amount: formatNumber(used) })}</span>
    </Figure>
  )
}

/** A longer time is not worth a figure. */
const longestDays = 365

function DaysLeft({ outlook: { days, state } }: { outlook: Outlook }) {
  const { t } = useTranslation('home')
  if (days === undefined || state === 'none') return null
  return <span>{days > longestDays ? t('lastsYear') : t('lasts', { count: Math.floor(days) })}</span>
}

type FigureProps = {
  link: ReturnType<typeof figureLinks>[keyof ReturnType<typeof figureLinks>] | typeof creditsLink
  label: string
  value: string
  unit?: string
  beside?: ReactNode
  line: ReactNode
  testId?: string
  /** What the figure was before, and what belongs to it. */
  children: ReactNode
}

function Figure({ link, label, value, unit, beside, line, testId, children }: FigureProps) {
  return (
    <AppLink {...link} underline="never" c="inherit" className={classes.figure}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>
        <span data-testid={testId}>{value}</span>
        {unit && <small>{unit}</small>}
        {beside}
      </span>
      <span className={classes.words}>{children}</span>
      <span className={classes.line}>{line}</span>
    </AppLink>
  )
}

/** A time, with its unit apart. */
function amountOf(ms: number | null | undefined) {
  return ms == null ? { value: '–', unit: undefined } : durationOf(ms)
}

function Slow({ ms }: { ms: number }) {
  const { t } = useTranslation('home')
  const { value, unit } = amountOf(ms)
  return (
    <small>
      <b>{value}</b> {unit} {t('slow')}
    </small>
  )
}
