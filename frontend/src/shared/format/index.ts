import { locale } from '@/shared/i18n'

export { beginningOf } from './beginning'
export { type Change, countChange, successChange, timeChange } from './changes'
export { formatShare, isPoor, percentOf, successOf } from './success'

/** Whole numbers with the language's separators. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale()).format(value)
}

/** How long something took: "85 ms" below a second, then "1.2 s". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${formatNumber(Math.round(ms))} ms`
  return `${formatNumber(Math.round(ms / 100) / 10)} s`
}

/** A signed number, with a typographic minus. */
export function formatSigned(value: number): string {
  return new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' }).format(value).replace('-', '−')
}
