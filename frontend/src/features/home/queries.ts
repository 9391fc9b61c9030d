import { graphql } from '@/gql'
import type { HomeQuery } from '@/gql/graphql'
import { gqlQuery } from '@/shared/gql'

const HomeDocument = graphql(`
  query Home {
    agents(first: 5) {
      nodes {
        id
        name
        state
        hasUnpublishedChanges
        lastUsedAt
        publishedVersion {
          number
        }
        model {
          label
        }
      }
      totalCount
    }
    viewer {
      id
      conversations(first: 5) {
        nodes {
          id
          sessionId
          source
          turnCount
          lastTurnAt
          agent {
            id
            name
          }
        }
      }
      exports(first: 1) {
        nodes {
          id
        }
      }
      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {
        nodes {
          id
        }
      }
    }
  }
`)

export const CreateStarterDocument = graphql(`
  mutation CreateStarter($input: CreateAgentInput!) {
    createAgent(input: $input) {
      agent {
        id
        name
      }
    }
  }
`)

export type HomeAgent = HomeQuery['agents']['nodes'][number]
export type HomeConversation = HomeQuery['viewer']['conversations']['nodes'][number]

/** Everything that the home page shows except credits, in one query. */
export const homeQuery = gqlQuery('home', HomeDocument)

export type Steps = { create: boolean; try: boolean; open: boolean }

/** Which of the first steps are done. A step stays done when agents, conversations or exports are deleted. */
export function stepsOf({ agents, viewer }: HomeQuery): Steps {
  const opened = viewer.exports.nodes.length > 0
  const tried = viewer.conversations.nodes.length > 0 || viewer.charges.nodes.length > 0
  return { create: agents.totalCount > 0 || tried || opened, try: tried, open: opened }
}
