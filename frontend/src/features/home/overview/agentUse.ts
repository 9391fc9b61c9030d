import type { Counted } from '../usage'

type UsageRow = Counted['agents'][number]
type Named = { id: string; name: string }

/** An agent and its use in the period. */
export type AgentUse = {
  agent: Named
  /** Answered and failed messages. */
  messages: number
  failed: number
  credits: number
  /** Those that came through the API, failed ones included; the others are tests in the playground. */
  requests: number
}

const mostShown = 8
const none = { messages: 0, failed: 0, credits: 0, requests: 0 }

/** The agents of the period, most used first, then others, which were not used. */
export function usedAgents(rows: readonly UsageRow[], others: readonly AgentUse['agent'][]): AgentUse[] {
  const uses = new Map<string, AgentUse>()
  for (const { agent, source, messages, failed, credits } of rows) {
    if (!agent) continue
    const use = uses.get(agent.id) ?? { agent, ...none }
    uses.set(agent.id, {
      agent,
      messages: use.messages + messages + failed,
      failed: use.failed + failed,
      credits: use.credits + credits,
      requests: use.requests + (source === 'API' ? messages + failed : 0),
    })
  }
  const used = [...uses.values()].toSorted((a, b) => b.messages - a.messages)
  const unused = others.filter(({ id }) => !uses.has(id)).map((agent) => ({ agent, ...none }))
  return [...used, ...unused].slice(0, mostShown)
}
