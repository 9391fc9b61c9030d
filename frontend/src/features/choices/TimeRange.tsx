import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dateOf, serverNow } from '@/shared/time'
import { DayField } from '@/shared/ui'
import { chosen, type RangeSearch, ranges } from './range'

type Props = { value: RangeSearch; onChange: (next: RangeSearch) => void }

const dayMs = 24 * 3600_000

/** Chooses the days of a list. */
export function TimeRange({ value, onChange }: Props) {
  const { t } = useTranslation('activity')
  const range = chosen(value)
  const { from, to } = value
  const choose = (next: (typeof ranges)[number]) =>
    onChange(
      next === 'own'
        ? { time: undefined, from: dateOf(serverNow() - 6 * dayMs), to: dateOf(serverNow()) }
        : { time: next === '7d' ? undefined : next, from: undefined, to: undefined },
    )
  return (
    <>
      <Select
        label={t('time')}
        data={ranges.map((one) => ({ value: one, label: t(`ranges.${one}`) }))}
        value={range}
        onChange={(next) => next && choose(next as typeof range)}
        style={{ flex: '0 1 150px' }}
      />
      {range === 'own' && (
        <>
          <DayField
            flex="0 1 140px"
            label={t('from')}
            value={from}
            max={to}
            onChange={(day) => onChange({ time: 'own', from: day, to })}
          />
          <DayField
            flex="0 1 140px"
            label={t('to')}
            value={to}
            min={from}
            error={from && to && to < from ? t('backward') : undefined}
            onChange={(day) => onChange({ time: 'own', from, to: day })}
          />
        </>
      )}
    </>
  )
}
