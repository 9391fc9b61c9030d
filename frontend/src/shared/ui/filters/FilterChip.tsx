import { Box, CloseButton, UnstyledButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './FilterBar.module.css'

type Props = {
  label: string
  set: boolean
  /** Sets a filter that has no value, or clears it. One with a value is only cleared. */
  onChange: (set: boolean) => void
  /** The field of a filter that has a value, which opens in the chip's place. */
  children?: ReactNode
}

/** A filter that is rarely asked for: "+ Failed", and once it is set, filled with ×. */
export function FilterChip({ label, set, onChange, children }: Props) {
  const { t } = useTranslation('lists')
  const [opened, setOpened] = useState(false)
  const chip = useRef<HTMLButtonElement>(null)
  if (children && (set || opened)) {
    const close = () => {
      setOpened(false)
      onChange(false)
      setTimeout(() => chip.current?.focus())
    }
    return (
      <Box
        className={classes.opened}
        ref={opened ? focusField : undefined}
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setOpened(false)}
      >
        {children}
        <CloseButton size={28} aria-label={t('removeFilter', { name: label })} onClick={close} />
      </Box>
    )
  }
  return (
    <UnstyledButton
      ref={chip}
      className={classes.chip}
      data-set={set || undefined}
      aria-pressed={children ? undefined : set}
      onClick={() => (children ? setOpened(true) : onChange(!set))}
    >
      {!set && <IconPlus size={14} aria-hidden />}
      {label}
      {set && <IconX size={14} aria-hidden />}
    </UnstyledButton>
  )
}

const focusField = (place: HTMLElement | null) => place?.querySelector('input')?.focus()
