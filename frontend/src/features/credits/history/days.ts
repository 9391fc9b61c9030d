/** What was charged in an interval: a day, or a month of a long range. */
export type Used = { start: string; credits: number; messages: number }

/** Credits that the operator added, or took. */
export type Added = {
  id: string
  kind: 'GRANT' | 'CHARGE' | 'ADJUSTMENT'
  amount: number
  createdAt: string
  note?: string | null
}

/** One row of the history. */
export type Day = Used & {
  /** What of the interval lies in the range. */
  from: string
  to: string
  /** What was added in it, newest first. */
  additions: Added[]
  added: number
  /** The balance at its end; undefined where it is not known. */
  balance: number | undefined
}

/**
 * The history by day, newest first, of days on which there was something. `ends` are the balances before and after the range. They are read
 * beside the rest: balances that do not add up, because a message was charged meanwhile, are left out.
 */
export function daysOf(
  used: readonly Used[],
  additions: readonly Added[],
  { from, to }: { from: string; to: string },
  ends?: [number, number],
): Day[] {
  const days = used.map((day, at): Day => {
    const end = used[at + 1]?.start ?? to
    const ofDay = additions.filter(
      ({ createdAt }) =>
        (at === 0 || Date.parse(createdAt) >= Date.parse(day.start)) && Date.parse(createdAt) < Date.parse(end),
    )
    return {
      ...day,
      from: at === 0 ? from : day.start,
      to: end,
      additions: ofDay.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)),
      added: ofDay.reduce((sum, { amount }) => sum + amount, 0),
      balance: undefined,
    }
  })
  const total = days.reduce((sum, { added, credits }) => sum + added - credits, 0)
  if (ends && ends[0] + total === ends[1]) {
    let balance = ends[0]
    for (const day of days) {
      balance += day.added - day.credits
      day.balance = balance
    }
  }
  return days
    .filter(({ credits, messages, additions: { length } }) => credits > 0 || messages > 0 || length > 0)
    .toReversed()
}
