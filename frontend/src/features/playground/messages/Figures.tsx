import { Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { Credits } from '@/shared/ui'
import { betterFigures } from '../compare/betterFigures'
import classes from '../Playground.module.css'
import type { SentTurn } from '../queries'

/** The time and the cost of a reply, and whether the fallback model gave it. */
export function Figures({ turn: { durationMs, credits, fallback, model } }: { turn: SentTurn }) {
  const { t } = useTranslation('playground')
  return (
    <Text size="xs" c="dimmed" className="panel-user-text panel-numbers">
      {durationMs != null && `${formatDuration(durationMs)} · `}
      <Credits value={credits} />
      {fallback && ` · ${t('answeredByFallback', { model })}`}
    </Text>
  )
}

/** The cost, tokens, time and model of a reply next to another one: better figures are marked. */
export function ComparedFigures({ turn, other }: { turn: SentTurn; other?: SentTurn }) {
  const { t } = useTranslation('playground')
  const { credits, inputTokens, outputTokens, durationMs } = turn
  const marks = betterFigures(turn, other)
  return (
    <Text size="xs" c="dimmed" className="panel-user-text panel-numbers">
      <Figure better={marks.credits}>
        <Credits value={credits} />
      </Figure>{' '}
      · {turn.version == null ? t('draft') : t('version', { number: turn.version })} ·{' '}
      {turn.fallback ? t('answeredByFallback', { model: turn.model }) : turn.model}
      {inputTokens != null && outputTokens != null && (
        <>
          {' · '}
          <Figure better={marks.tokens}>
            {t('tokens', { input: formatNumber(inputTokens), output: formatNumber(outputTokens) })}
          </Figure>
        </>
      )}
      {durationMs != null && (
        <>
          {' · '}
          <Figure better={marks.time}>{formatDuration(durationMs)}</Figure>
        </>
      )}
    </Text>
  )
}

/** Marked by a tick, by weight, by colour, and in words for who hears it. */
function Figure({ better: isBetter, children }: { better: boolean; children: ReactNode }) {
  const { t } = useTranslation('playground')
  if (!isBetter) return children
  return (
    <b className={classes.better}>
      <IconCheck size={12} aria-hidden />
      {children}
      <VisuallyHidden> ({t('compare.better')})</VisuallyHidden>
    </b>
  )
}
