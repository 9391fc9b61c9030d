import { locale } from '@/shared/i18n'

/** Whole numbers with the language's separators. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale()).format(value)
}

/** A signed number, with a typographic minus. */
export function formatSigned(value: number): string {
  return new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' }).format(value).replace('-', '−')
}
