import { useTranslation } from 'react-i18next'
import { lastWeek, serverNow } from '@/shared/time'
import { ChoiceFilter } from './ChoiceFilter'
import { DatesFilter } from './DatesFilter'
import { chosen, type RangeSearch, ranges } from './range'

type Props = { value: RangeSearch; onChange: (next: RangeSearch) => void }

/** Selects the time range of a list. */
export function TimeRange({ value, onChange }: Props) {
  const { t } = useTranslation('choices')
  const range = chosen(value)
  const choose = (next: (typeof ranges)[number]) =>
    onChange(
      next === 'own'
        ? { time: undefined, ...lastWeek(serverNow()) }
        : { time: next === '7d' ? undefined : next, from: undefined, to: undefined },
    )
  return (
    <>
      <ChoiceFilter
        label={t('time')}
        data={ranges.map((one) => ({ value: one, label: t(`ranges.${one}`) }))}
        value={range}
        onChange={(next) => next && choose(next as typeof range)}
      />
      {range === 'own' && <DatesFilter value={value} onChange={(dates) => onChange({ time: 'own', ...dates })} />}
    </>
  )
}
