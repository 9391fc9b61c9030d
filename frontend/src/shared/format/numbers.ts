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

/** A rate in tenths of a percent, rounded down, so that only what is whole is 100%. */
const tenths = (share: number) => Math.floor(share * 1_000 + 1e-9) / 10

/** A share with its sign: of 0.985, "98.5%". */
export const formatShare = (share: number) => formatPercent(tenths(share))

/** A share of a total, for a column. Rounded to the nearest tenth, so that the column adds up to about 100%. */
export const formatColumnShare = (share: number) => formatPercent(share * 100, 1)

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

/** What stands between the digits of the reader's numbers. */
export function separators(): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1_234_567.8)
  const of = (type: string) => parts.find((part) => part.type === type)?.value
  return { group: of('group') ?? ' ', decimal: of('decimal') ?? '.' }
}
