import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf, dayPattern, typedDay } from '@/shared/time'

type Looks = 'inputWrapperOrder' | 'description' | 'descriptionProps' | 'error' | 'errorProps' | 'flex' | 'className'

type Props = Pick<TextInputProps, Looks> & {
  label: string
  /** A day as YYYY-MM-DD. */
  value: string | undefined
  min?: string
  max?: string
  onChange: (day: string | undefined) => void
}

/** Earlier years are incomplete input: 0002 while 2026 is typed. */
const earliest = '1970'

/** A date, typed in the order of the reader's locale or picked. Incomplete input changes nothing, and is reset on blur. */
export function DayField({ value = '', min, max, onChange, ...rest }: Props) {
  const { t } = useTranslation()
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(typedDay(value))
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    // A text for the same day stays unchanged.
    if ((dayOf(typed) ?? '') !== value) setTyped(typedDay(value))
  }
  const change = (day: string | undefined) => {
    if (day !== undefined && day !== value && (day === '' || day >= earliest)) onChange(day || undefined)
  }
  return (
    <TextInput
      // Neighboring fields align at the bottom, so an error below would push this one up.
      inputWrapperOrder={['label', 'error', 'input']}
      {...rest}
      value={typed}
      placeholder={dayPattern()}
      autoComplete="off"
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        change(currentTarget.value.trim() === '' ? '' : dayOf(currentTarget.value))
      }}
      onBlur={() => setTyped(typedDay(value))}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          {/* Only for its calendar, which opens where it stands. */}
          <input
            ref={picker}
            type="date"
            value={value}
            min={min}
            max={max}
            tabIndex={-1}
            aria-hidden
            onChange={({ currentTarget }) => change(currentTarget.value)}
            style={{ position: 'absolute', inset: 0, opacity: 0, pointerEvents: 'none' }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('form.pickDay', { field: rest.label })}
            onClick={() => picker.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
        </>
      }
    />
  )
}
