import type { ComboboxItem, OptionsFilter } from '@mantine/core'

/** Whether a text has what was typed, in any case and however its letters are composed. */
export function has(text: string, typed: string): boolean {
  return formOf(text).includes(formOf(typed.trim()))
}

const formOf = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC')

/** Filters the choices of a list by what was typed. */
export const byLabel: OptionsFilter = ({ options, search }) =>
  (options as ComboboxItem[]).filter(({ label }) => has(label, search))
