import { queryOptions } from '@tanstack/react-query'
import { graphql } from '@/gql'
import { followSlowly, gql } from '@/shared/gql'
import { dayMs, hourMs, serverNow, startOfMonth } from '@/shared/time'

/** Everything that the list counts, in one request. */
const AgentFiguresDocument = graphql(`
  query AgentFigures($from: DateTime!, $month: DateTime!, $to: DateTime!) {
    viewer {
      id
      day: usage(filter: { from: $from, to: $to }, groupBy: [AGENT]) {
        agent {
          id
        }
        messages
        failed
      }
      month: usage(filter: { from: $month, to: $to }, groupBy: [AGENT]) {
        agent {
          id
        }
        credits
      }
    }
  }
`)

/** What an agent did in 24 hours, and what it cost this month. */
export type Figures = { messages: number; failed: number; credits: number }

const unused: Figures = { messages: 0, failed: 0, credits: 0 }

/** The figures of the agents that did something, by their IDs. */
export type AllFigures = Map<string, Figures>

export const figuresQuery = queryOptions({
  queryKey: ['agentFigures'],
  queryFn: async ({ signal }): Promise<AllFigures> => {
    const now = serverNow()
    const { viewer } = await gql(
      AgentFiguresDocument,
      {
        from: new Date(now - dayMs).toISOString(),
        month: startOfMonth(now),
        // Ahead, because the service's time is only nearly known.
        to: new Date(now + hourMs).toISOString(),
      },
      { signal },
    )
    const figures: AllFigures = new Map()
    for (const { agent, ...row } of [...viewer.day, ...viewer.month]) {
      if (agent) figures.set(agent.id, { ...(figures.get(agent.id) ?? unused), ...row })
    }
    return figures
  },
  refetchInterval: followSlowly,
})

/** The figures of one agent; undefined until they have come. */
export const figuresOf = (figures: AllFigures | undefined, agentId: string) =>
  figures && (figures.get(agentId) ?? unused)
