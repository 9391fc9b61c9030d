import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Dates, isBackward } from '@/shared/time'
import { DayField } from '../forms/DayField'
import classes from './FilterBar.module.css'

type Props = { value: Dates; onChange: (next: Dates) => void }

/** The first and the last day of a range. Days in the wrong order stay in the fields; the page keeps its last valid range. */
export function DatesFilter({ value, onChange }: Props) {
  const { t } = useTranslation('lists')
  const [wrong, setWrong] = useState<{ days: Dates; known: Dates }>()
  // The range was changed elsewhere, as by Clear filters.
  if (wrong && (wrong.known.from !== value.from || wrong.known.to !== value.to)) setWrong(undefined)
  const { from, to } = wrong?.days ?? value
  const change = (days: Dates) => {
    setWrong(isBackward(days) ? { days, known: value } : undefined)
    if (!isBackward(days)) onChange(days)
  }
  const backward = isBackward({ from, to })
  return (
    <>
      <DayField
        className={classes.named}
        label={t('from')}
        value={from}
        max={to}
        onChange={(day) => change({ from: day, to })}
      />
      <DayField
        className={classes.named}
        label={t('to')}
        value={to}
        min={from}
        error={backward}
        onChange={(day) => change({ from, to: day })}
      />
      {backward && (
        <Text role="alert" size="sm" c="var(--bad)" className={classes.error}>
          {t('backward')}
        </Text>
      )}
    </>
  )
}
