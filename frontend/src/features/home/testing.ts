import { dayMs, hourMs } from '@/shared/time'

type Filter = { from: string; to: string; source?: string }
export type Asked = { filter: Filter; groupBy: string[]; interval?: 'HOUR' | 'DAY' }
type Counts = {
  messages?: number
  failed?: number
  refused?: number
  credits?: number
  durationP50Ms?: number
  durationP95Ms?: number
}
type Agent = {
  id: string
  name: string
  state: string
  hasUnpublishedChanges: boolean
  publishedVersion?: { number: number }
}

/** What an account used: in all, by agent, and by agent and status in the last hour. */
export type Used = {
  now?: Counts
  before?: Counts
  agents?: ({ agent: Agent | null; source?: string } & Counts)[]
  lastHour?: ({ agent: Agent | null; status: string } & Counts)[]
}

const none = { rest: false, messages: 0, failed: 0, refused: 0, credits: 0, inputTokens: 0, outputTokens: 0 }

/** The service's `usage`: all of it lies in the first hour or day of its period. */
export function usageOf({ now, before, agents = [], lastHour = [] }: Used, asked: Asked[] = []) {
  return (args: Asked) => {
    asked.push(args)
    const { filter, groupBy, interval } = args
    if (groupBy.includes('STATUS')) return lastHour.map((row) => ({ ...none, ...row }))
    if (groupBy.includes('AGENT') && !interval) return agents.map((row) => ({ ...none, ...row }))
    const isNow = Date.parse(filter.to) > Date.now()
    if (!interval) return [{ ...none, ...(isNow ? now : before) }]
    const starts = startsOf(filter, interval === 'DAY' ? dayMs : hourMs)
    if (groupBy.includes('AGENT')) return agents.map((row) => ({ ...none, ...row, start: starts.at(2) }))
    return starts.map((start) => ({ ...none, start }))
  }
}

export const usage = usageOf({})

function startsOf({ from, to }: Filter, length: number): string[] {
  const starts: string[] = []
  for (let start = Math.floor(Date.parse(from) / length) * length; start < Date.parse(to); start += length) {
    starts.push(new Date(start).toISOString())
  }
  return starts
}
