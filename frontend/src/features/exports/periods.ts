import type { CreditUse } from '@/shared/format'
import type { PublishedVersion } from './queries'

export type Period = 'day' | 'month'

/** What a message to an export costs. Where that is not known, as when it is pinned to an older version, 1 credit. */
export function priceOf(published: PublishedVersion | undefined, version: number | null | undefined): number {
  const model = version == null || version === published?.number ? published?.model : undefined
  return model?.creditsPerMessage ?? 1
}

/** The longest period whose limit leaves no room for a message: callers are refused until it ends. */
export function reachedPeriod(use: CreditUse, price: number): Period | undefined {
  const isOver = (used: number, limit: number | null | undefined) => limit != null && used + price > limit
  if (isOver(use.creditsUsedThisMonth, use.monthlyCreditLimit)) return 'month'
  if (isOver(use.creditsUsedToday, use.dailyCreditLimit)) return 'day'
  return undefined
}

/** When the UTC day or calendar month ends, in milliseconds. */
export function endOf(period: Period, now: number): number {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year, month, date.getUTCDate() + 1)
}
