import type { MantineColorScheme } from '@mantine/core'

/** The available themes; `auto` follows the system. */
export const schemes = [
  { value: 'auto', label: 'themeSystem' },
  { value: 'light', label: 'themeLight' },
  { value: 'dark', label: 'themeDark' },
] as const

export function asScheme(value: string): MantineColorScheme {
  return schemes.find((scheme) => scheme.value === value)?.value ?? 'auto'
}
