import { locale } from './locale'

/**
 * A number with the separators and digits of the reader, with all its decimals. Numbers in texts are written so by themselves:
 * `t('count', { count })`.
 */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(value)
}

/** A percentage with its sign, as the reader writes it: of 98.5, "98.5%". With `decimals` it always has so many, for columns. */
export function formatPercent(percent: number, decimals: 0 | 1 = 0): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: 1 }
  return new Intl.NumberFormat(locale(), { style: 'percent', ...digits }).format(percent / 100)
}

/** A share with its sign: of 0.985, "98.5%". Rounded down, so that only what is whole is 100%. */
export const formatShare = (share: number, decimals: 0 | 1 = 0) =>
  formatPercent(Math.floor(share * 1_000 + 1e-9) / 10, decimals)

/** How long something took: "85 ms" below a second, then "1.0 s". */
export function formatDuration(ms: number): string {
  const { value, unit } = durationOf(ms)
  return `${value} ${unit}`
}

/** A duration with its unit apart. */
export function durationOf(ms: number): { value: string; unit: 'ms' | 's' } {
  const whole = Math.round(ms)
  if (whole < 1_000) return { value: formatNumber(whole), unit: 'ms' }
  const format = new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return { value: format.format(ms / 1_000), unit: 's' }
}

/** A signed number, with a typographic minus. */
export function formatSigned(value: number): string {
  return new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' }).format(value).replace('-', '−')
}

/** What the reader's numbers have between their digits. */
export function separators() {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1_234_567.8)
  return (type: 'group' | 'decimal', none: string) => parts.find((part) => part.type === type)?.value ?? none
}
