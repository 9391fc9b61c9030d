import { Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { timeOf, typedTime } from '@/shared/time'
import { DayField } from '@/shared/ui'

/** A day without a time lasts until its end. */
const endOfDay = '23:59'

const timeWidth = 104
/** Texts are below both fields. */
const below = { style: { marginInlineEnd: -timeWidth - 8 } }

type Props = {
  label: string
  description?: ReactNode
  /** A local day and time, as 2026-01-31T09:05, or empty. */
  value?: string
  error?: ReactNode
  /** The first and the last day to pick. */
  min?: string
  max?: string
  onChange: (moment: string) => void
}

/** The fields of a local day and its time. Without a day there is no time. */
export function MomentField({ value = '', onChange, ...field }: Props) {
  const { t } = useTranslation('exports')
  const [day, time] = value.split('T')
  const [typed, setTyped] = useState<string>()
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <DayField
        flex="1 1 140px"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={day}
        onChange={(next) => onChange(next ? `${next}T${time ?? endOfDay}` : '')}
        errorProps={below}
        descriptionProps={below}
        {...field}
      />
      <TextInput
        label={t('time')}
        w={timeWidth}
        autoComplete="off"
        disabled={!day}
        error={Boolean(field.error)}
        value={typed ?? (time ? typedTime(time) : '')}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          const next = timeOf(currentTarget.value)
          if (next) onChange(`${day}T${next}`)
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Group>
  )
}
