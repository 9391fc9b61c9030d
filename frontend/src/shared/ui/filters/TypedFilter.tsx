import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import classes from './FilterBar.module.css'
import { useTypedFilter } from './useTypedFilter'

const longest = 255

type Props = {
  label: string
  placeholder: string
  value: string | undefined
  apply: (value: string | undefined, replace: boolean) => void
  /** Whether this is the search of the list, to which the key / goes. Others have their name inside. */
  isListSearch?: boolean
}

/** The field of a text filter that is kept in the URL. */
export function TypedFilter({ label, placeholder, value = '', apply, isListSearch }: Props) {
  const field = useTypedFilter(value, apply)
  return (
    <TextInput
      {...(isListSearch ? { 'aria-label': label, leftSection: <IconSearch size={16} aria-hidden /> } : { label })}
      className={isListSearch ? undefined : classes.named}
      placeholder={placeholder}
      type="search"
      maxLength={longest}
      {...field}
      data-list-search={isListSearch}
    />
  )
}
