import { useMediaQuery } from '@mantine/hooks'

/**
 * The three widths of the panel: phone, medium, and wide from 1,200 px on. They are the kit's `sm` and `lg`; widths.test.ts holds the
 * style sheets to them.
 */
const phone = '(max-width: 47.99em)'
const wide = '(min-width: 75em)'
const atOnce = { getInitialValueInEffect: false }

export const usePhone = () => useMediaQuery(phone, false, atOnce)
export const useWide = () => useMediaQuery(wide, false, atOnce)
