import { useQuery } from '@tanstack/react-query'
import { useViewer } from '@/features/auth'
import { dayMs, hourMs, type Span, useNow } from '@/shared/time'
import { usageQuery } from './queries'

const week = 7
/** Below this many credits, or days, the owner is warned. */
const fewCredits = 50
const fewDays = 7

export type Outlook = {
  available: number
  /** Charges of the last 168 hours; undefined until known. */
  spent: number | undefined
  /** The number of days that the available credits last at the rate of the last 7; undefined without use. */
  days: number | undefined
  state: 'enough' | 'low' | 'none'
}

/** `lowAt` is the balance at which the account is notified; without one, `fewCredits` applies. */
export function outlook(available: number, spent: number | undefined, lowAt?: number | null): Outlook {
  const days = spent ? Math.max(available, 0) / (spent / week) : undefined
  const few = lowAt == null ? available < fewCredits : available <= lowAt
  const low = few || (days !== undefined && days < fewDays)
  return { available, spent, days, state: available <= 0 ? 'none' : low ? 'low' : 'enough' }
}

/** The last 168 hours, rounded to the hour so that the query key stays the same for a while. */
function lastHours(now: number): Span {
  const to = Math.ceil(now / hourMs) * hourMs
  return { from: new Date(to - week * dayMs).toISOString(), to: new Date(to).toISOString() }
}

/** The available credits and how long they last. Undefined until the balance is known. */
export function useOutlook(): Outlook | undefined {
  const viewer = useViewer().data?.viewer
  const usage = useQuery(usageQuery(lastHours(useNow()))).data
  const spent = usage?.reduce((sum, { credits }) => sum + credits, 0)
  return viewer && outlook(viewer.creditsAvailable, spent, viewer.lowCreditsAt)
}
