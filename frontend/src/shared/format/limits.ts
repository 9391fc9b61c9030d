import { formatShare } from './numbers'

// The rule for every page that warns of a limit that is nearly reached.

/** From which part of a limit on its owner should know. */
const nearly = 0.8

/** That part, as the reader writes it: "80%". */
export const nearlyShare = () => formatShare(nearly)

/** Whether so much of a limit is used that its owner should know. */
export const isNearly = (used: number, limit: number | null | undefined) => limit != null && used >= nearly * limit

/** What an export has used of its limits of credits. */
export type CreditUse = {
  creditsUsedToday: number
  creditsUsedThisMonth: number
  dailyCreditLimit?: number | null
  monthlyCreditLimit?: number | null
}

/** The limits of credits, the most used first. */
function limitsOf(of: CreditUse) {
  const limits = [
    { period: 'day' as const, used: of.creditsUsedToday, limit: of.dailyCreditLimit },
    { period: 'month' as const, used: of.creditsUsedThisMonth, limit: of.monthlyCreditLimit },
  ]
  return limits
    .flatMap(({ limit, ...rest }) => (limit == null ? [] : [{ ...rest, limit }]))
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit)
}

/** The limit of credits of which most is used; undefined without limits. */
export const nearestLimit = (of: CreditUse) => limitsOf(of)[0]

/** The limits of credits that are nearly used, the most used first. */
export const limitsNear = (of: CreditUse) => limitsOf(of).filter(({ used, limit }) => isNearly(used, limit))
