import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { countChange, formatDuration, formatPercent, timeChange } from '@/shared/format'
import type { UsageData } from '../queries'
import { chosen } from '../range'
import { monthText } from '../useNames'
import { useUsageSearch } from '../useUsageSearch'
import { countOf } from './series'

/** How the period differs from the one before, where that says something. */
export function Compared({ data, total: now }: { data: UsageData; total: UsageData['total'][number] }) {
  const { t } = useTranslation('usage')
  const { show, search } = useUsageSearch()
  const { asked, split } = data
  const [before] = data.before
  if (!before) return null
  const month = monthText(asked.before.from)
  const than = t(`than.${chosen(search)}`, { month })
  const isTime = show === 'time'
  const count = (of: typeof before) => countOf(split, show, of)
  const change = isTime ? timeChange(now, before) : countChange(count(now), count(before), before.messages)
  if (!change) return null
  if (change.kind === 'same') return <Text size="sm">{t(isTime ? 'sameTime' : 'same', { than })}</Text>
  const words = {
    up: isTime ? ('slower' as const) : ('up' as const),
    down: isTime ? ('faster' as const) : ('down' as const),
  }
  return (
    <Text size="sm" c={change.tone === 'bad' ? 'var(--bad)' : undefined}>
      <span aria-hidden>{change.kind === 'up' ? '▲' : '▼'}</span>{' '}
      {t(words[change.kind], { by: isTime ? formatDuration(change.by) : formatPercent(change.by, 1), than })}
    </Text>
  )
}
