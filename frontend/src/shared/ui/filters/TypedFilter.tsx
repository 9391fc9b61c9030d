import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTypedFilter } from './useTypedFilter'

const longest = 255

type Props = {
  label: string
  placeholder: string
  value: string | undefined
  apply: (value: string | undefined, replace: boolean) => void
  maxWidth?: number
  /** Whether the key / goes to this field. */
  isListSearch?: boolean
}

/** The field of a text filter that is kept in the URL. */
export function TypedFilter({ label, placeholder, value = '', apply, maxWidth = 320, isListSearch }: Props) {
  const field = useTypedFilter(value, apply)
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      type="search"
      maxLength={longest}
      leftSection={<IconSearch size={16} aria-hidden />}
      {...field}
      data-list-search={isListSearch || undefined}
      style={{ flex: '1 1 150px', maxWidth }}
    />
  )
}
