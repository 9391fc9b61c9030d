import { Group, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dateOf, serverNow } from '@/shared/time'
import { DayField } from '@/shared/ui'
import { chosen, type PeriodSearch, ranges } from './range'

type Props = { value: PeriodSearch; onChange: (next: PeriodSearch) => void }

const weekMs = 6 * 24 * 3600_000

/** This month, last month, or days of one's own. */
export function Period({ value, onChange }: Props) {
  const { t } = useTranslation('usage')
  const { from, to } = value
  const range = chosen(value)
  const choose = (next: (typeof ranges)[number]) =>
    onChange(
      next === 'own'
        ? { range: next, from: from ?? dateOf(serverNow() - weekMs), to: to ?? dateOf(serverNow()) }
        : { range: next === 'month' ? undefined : next, from: undefined, to: undefined },
    )
  const backward = from !== undefined && to !== undefined && to < from
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        aria-label={t('period')}
        data={ranges.map((one) => ({ value: one, label: t(`ranges.${one}`) }))}
        value={range}
        onChange={choose}
      />
      {range === 'own' && (
        <>
          <DayField
            flex="0 1 140px"
            label={t('from')}
            value={from}
            max={to}
            onChange={(day) => onChange({ range, from: day, to })}
          />
          <DayField
            flex="0 1 140px"
            label={t('to')}
            value={to}
            min={from}
            error={backward ? t('backward') : undefined}
            onChange={(day) => onChange({ range, from, to: day })}
          />
        </>
      )}
    </Group>
  )
}
