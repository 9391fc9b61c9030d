import { NumberInput, type NumberInputProps } from '@mantine/core'
import { separators } from '@/shared/format'

/** The field of a whole number. One out of range stays as it was typed; the form says what is wrong with it. */
export function CountField(props: NumberInputProps) {
  const { group, decimal } = separators()
  return (
    <NumberInput
      min={1}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      thousandSeparator={group}
      decimalSeparator={decimal}
      {...props}
    />
  )
}
