type Counts = { messages: number; failed?: number }

/** From how many messages on a rate says something, and below which it is poor. */
const enough = 20
const good = 0.95

/** The part of answered messages, of those that were answered or failed; null if there were none. Refusals are no part of it. */
export function successOf({ messages, failed = 0 }: Counts): number | null {
  return messages + failed > 0 ? messages / (messages + failed) : null
}

/** Whether there are too few messages for a rate to say something. */
export const isFew = ({ messages, failed = 0 }: Counts) => messages + failed < enough

/** Whether a rate of success calls for attention. */
export function isPoor({ messages, failed = 0 }: Counts): boolean {
  return !isFew({ messages, failed }) && messages / (messages + failed) < good
}
