import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Outlook, useOutlook } from '@/features/credits'
import {
  countChange,
  durationOf,
  formatDuration,
  formatNumber,
  formatShare,
  isFew,
  isPoor,
  successChange,
  successOf,
  timeChange,
} from '@/shared/format'
import { AppLink, type Series, type SparkLabels, Sparkline } from '@/shared/ui'
import classes from '../Home.module.css'
import { creditsLink, figureLinks } from '../links'
import type { HomeUsage } from '../usage'
import { ChangeText } from './ChangeText'
import { labelsOf, linesOf, pointsOf } from './lines'

/** The four figures, each a link to what is behind it. What belongs to a figure is in its tooltip. */
export function Figures({ data }: { data: HomeUsage }) {
  const { t } = useTranslation('home')
  const [now] = data.usage.now
  const [before] = data.usage.before
  const lines = linesOf(data)
  const links = figureLinks(data)
  const points = pointsOf(data)
  if (!now || !before) return null

  const { range } = data
  const success = successOf(now)
  const time = now.durationP50Ms == null ? undefined : durationOf(now.durationP50Ms)
  const few = isFew(now)
  return (
    <section className={`panel-box ${classes.figures}`} aria-label={t(`periods.${range}`)}>
      <Figure
        link={links.messages}
        label={t('messages')}
        value={formatNumber(now.messages)}
        line={lines.messages}
        labels={labelsOf(
          data,
          points.map(({ messages }) => formatNumber(messages)),
        )}
      >
        <ChangeText range={range} change={countChange(now.messages, before.messages, before.messages)} unit="percent">
          {t(`${before.messages > 0 ? 'before' : 'first'}.${range}`, { amount: formatNumber(before.messages) })}
        </ChangeText>
      </Figure>
      <Figure
        link={links.success}
        label={t('success')}
        value={success === null ? '–' : formatShare(success)}
        few={few}
        line={{ ...lines.success, bad: isPoor(now) }}
        labels={labelsOf(
          data,
          points.map(successOf).map((share) => (share === null ? '–' : formatShare(share))),
        )}
      >
        <ChangeText range={range} change={successChange(now, before)} unit="points">
          {t('notAnswered', { failed: formatNumber(now.failed), refused: formatNumber(now.refused) })}
        </ChangeText>
      </Figure>
      <Figure
        link={links.time}
        label={t('time')}
        value={time?.value ?? '–'}
        unit={time && `${time.unit} ${t('median')}`}
        few={few}
        line={{ ...lines.median, second: lines.slow }}
        labels={labelsOf(
          data,
          points.map(({ durationP50Ms: ms }) => (ms == null ? '–' : formatDuration(ms))),
        )}
      >
        {now.durationP95Ms != null && (
          <span>
            {t('slow')} {formatDuration(now.durationP95Ms)}
          </span>
        )}
        <ChangeText range={range} change={timeChange(now, before)} unit="time">
          {now.durationP50Ms == null && t('noReplies')}
        </ChangeText>
      </Figure>
      <CreditsLeft
        used={now.credits}
        line={lines.credits}
        labels={labelsOf(
          data,
          points.map(({ credits }) => t('used', { amount: formatNumber(credits) })),
        )}
      />
    </section>
  )
}

function CreditsLeft({ used, ...line }: { used: number } & Pick<FigureProps, 'line' | 'labels'>) {
  const { t } = useTranslation('home')
  const outlook = useOutlook()
  return (
    <Figure
      {...line}
      link={creditsLink}
      label={t('creditsLeft')}
      value={outlook ? formatNumber(outlook.available) : '…'}
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
  /** Whether there are too few messages for it to say something. */
  few?: boolean
  line: { now: Series; before?: Series; second?: Series; bad?: boolean }
  labels: SparkLabels
  testId?: string
  /** What the figure was before, and what belongs to it. */
  children: ReactNode
}

function Figure({ link, label, value, unit, few, line, labels, testId, children }: FigureProps) {
  const id = useId()
  return (
    <div className={classes.figure}>
      <AppLink {...link} underline="never" c="inherit" className={classes.whole} aria-describedby={id}>
        <span className={classes.label}>{label}</span>
        <span className={classes.value} data-few={few || undefined}>
          <span data-testid={testId}>{value}</span>
          {unit && <small>{unit}</small>}
        </span>
      </AppLink>
      {/* By style alone: the kit's tooltips would be the largest part of the page's script. */}
      <span role="tooltip" id={id} className={classes.words}>
        {children}
      </span>
      <span className={classes.line}>
        <Sparkline {...line} labels={labels} />
      </span>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <tbody>
            {labels.map(([when, each]) => (
              <tr key={when}>
                <th scope="row">{when}</th>
                <td>{each}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}
