import { useTranslation } from 'react-i18next'
import { type Dates, isBackward } from '@/shared/time'
import { DayField } from '../forms/DayField'
import classes from './FilterBar.module.css'

type Props = { value: Dates; onChange: (next: Dates) => void }

/** The first and the last day of a range. The filter bar reports the wrong order. */
export function DatesFilter({ value: { from, to }, onChange }: Props) {
  const { t } = useTranslation('lists')
  return (
    <>
      <DayField
        className={classes.named}
        label={t('from')}
        value={from}
        max={to}
        onChange={(day) => onChange({ from: day, to })}
      />
      <DayField
        className={classes.named}
        label={t('to')}
        value={to}
        min={from}
        error={isBackward({ from, to })}
        onChange={(day) => onChange({ from, to: day })}
      />
    </>
  )
}
