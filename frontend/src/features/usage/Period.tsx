import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { lastWeek, serverNow } from '@/shared/time'
import { DatesFilter } from '@/shared/ui'
import { chosen, type PeriodSearch, ranges } from './range'

type Props = { value: PeriodSearch; onChange: (next: PeriodSearch) => void }

/** This month, last month, or days of one's own. */
export function Period({ value, onChange }: Props) {
  const { t } = useTranslation('usage')
  const range = chosen(value)
  const choose = (next: (typeof ranges)[number]) =>
    onChange(
      next === 'own'
        ? { range: next, ...lastWeek(serverNow()) }
        : { range: next === 'month' ? undefined : next, from: undefined, to: undefined },
    )
  return (
    <>
      <SegmentedControl
        aria-label={t('period')}
        data={ranges.map((one) => ({ value: one, label: t(`ranges.${one}`) }))}
        value={range}
        onChange={choose}
      />
      {range === 'own' && <DatesFilter value={value} onChange={(dates) => onChange({ range, ...dates })} />}
    </>
  )
}
