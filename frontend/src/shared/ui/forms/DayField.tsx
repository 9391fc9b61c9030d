import { TextInput } from '@mantine/core'
import { useState } from 'react'

type Props = {
  label: string
  /** A day as YYYY-MM-DD. */
  value: string | undefined
  min?: string
  max?: string
  error?: string
  flex: string
  maxWidth?: number
  className?: string
  onChange: (day: string | undefined) => void
}

/** Earlier years are incomplete input: 0002 while 2026 is typed. */
const earliest = '1970'

/** A date field with the browser's picker. Incomplete input changes nothing, and is reset on blur. */
export function DayField({ value = '', onChange, flex, maxWidth, ...rest }: Props) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  return (
    <TextInput
      type="date"
      value={typed}
      onChange={(event) => {
        const { value: day, validity } = event.currentTarget
        // Even if incomplete: writing the old day back would undo what was typed.
        setTyped(day)
        if (!validity.badInput && day !== value && (day === '' || day >= earliest)) onChange(day || undefined)
      }}
      onBlur={() => setTyped(value)}
      style={{ flex, maxWidth }}
      // Neighboring fields align at the bottom, so an error below would push this one up.
      inputWrapperOrder={['label', 'error', 'input']}
      {...rest}
    />
  )
}
