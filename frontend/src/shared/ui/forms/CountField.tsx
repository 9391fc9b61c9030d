import { NumberInput, type NumberInputProps } from '@mantine/core'
import { locale } from '@/shared/format'

/** The field of a whole number. One out of range stays as it was typed; the form says what is wrong with it. */
export function CountField(props: NumberInputProps) {
  const separator = separators()
  return (
    <NumberInput
      min={1}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      thousandSeparator={separator('group', ' ')}
      decimalSeparator={separator('decimal', '.')}
      {...props}
    />
  )
}

/** What the reader's numbers have between their digits. */
function separators() {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1_234_567.8)
  return (type: 'group' | 'decimal', none: string) => parts.find((part) => part.type === type)?.value ?? none
}
