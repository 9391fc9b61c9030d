import { locale } from '@/shared/i18n'

type Counts = { messages: number; failed?: number }

/** From how many messages on a rate says something, and below which it is poor. */
const enough = 20
const good = 0.95

/** The part of answered messages, of those that were answered or failed; null if there were none. Refusals are no part of it. */
export function successOf({ messages, failed = 0 }: Counts): number | null {
  return messages + failed > 0 ? messages / (messages + failed) : null
}

/** Whether a rate of success calls for attention. */
export function isPoor({ messages, failed = 0 }: Counts): boolean {
  return messages + failed >= enough && messages / (messages + failed) < good
}

/** A share in percent; rounded down, so that only what is whole is 100. */
export const percentOf = (share: number) => Math.floor(share * 1_000 + 1e-9) / 10

/** A share with its sign, as the language writes it: "98.5%". */
export function formatShare(share: number): string {
  const format = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })
  return format.format(percentOf(share) / 100)
}
