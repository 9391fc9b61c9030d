import { Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Change, formatDuration, formatNumber, formatPercent } from '@/shared/format'
import type { Range } from '../usage'

const colours = { good: 'var(--ok)', bad: 'var(--bad)' }

type Props = {
  range: Range
  /** Undefined where there is nothing to compare. */
  change: Change | undefined
  unit: 'percent' | 'points' | 'time'
  /** The figure that the text belongs to. */
  children?: ReactNode
}

/** How a figure has changed, in words: the arrow and the colour only repeat them. */
export function ChangeText({ range, change, unit, children }: Props) {
  const { t } = useTranslation('home')
  if (!change) return children
  if (change.kind === 'same') {
    return (
      <>
        <span>{t(`same.${range}`)}</span>
        {children && <span>{children}</span>}
      </>
    )
  }
  const amount = { percent: formatPercent, points: formatNumber, time: formatDuration }[unit](change.by)
  return (
    <>
      <Text span inherit c={change.tone && colours[change.tone]}>
        <span aria-hidden>{change.kind === 'up' ? '▲' : '▼'}</span> {t(`by.${unit}`, { amount, count: change.by })}
        {unit !== 'time' && <VisuallyHidden> {t(change.kind)}</VisuallyHidden>}
      </Text>
      <span>{unit === 'time' ? t(`${change.kind === 'up' ? 'slower' : 'faster'}.${range}`) : children}</span>
    </>
  )
}
