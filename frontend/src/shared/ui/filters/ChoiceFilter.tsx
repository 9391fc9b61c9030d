import { Select, type SelectProps } from '@mantine/core'
import classes from './FilterBar.module.css'
import { byLabel } from './filter'

type Props = Pick<SelectProps, 'data' | 'searchable' | 'nothingFoundMessage'> & {
  label: string
  /** Undefined for the option without a value, which is the first. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A filter that is one of some values. Its name stands inside: "Agent: all". */
export function ChoiceFilter({ value = '', onChange, ...rest }: Props) {
  return (
    <Select
      className={classes.choice}
      value={value}
      onChange={(next) => onChange(next || undefined)}
      filter={byLabel}
      maxDropdownHeight={280}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      {...rest}
    />
  )
}
