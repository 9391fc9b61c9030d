import { graphql } from '@/gql'
import type { HomeAttentionQuery, HomeQuery } from '@/gql/graphql'
import { gqlQuery, type Whole } from '@/shared/gql'

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
      conversations(first: 6) {
        nodes {
          id
          sessionId
          userId
          preview
          failedTurns
          lastTurnAt
          agent {
            id
            name
          }
        }
      }
      calls: conversations(first: 1, filter: { source: API }) {
        nodes {
          id
        }
      }
      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {
        nodes {
          id
          exportName
        }
      }
      exports(first: 1, filter: { state: ACTIVE }) {
        nodes {
          id
          name
          state
          requireUserId
          userDailyMessageLimit
          agent {
            id
            name
            publishedVersion {
              variables {
                name
                required
              }
            }
          }
          pinnedVersion {
            variables {
              name
              required
            }
          }
        }
      }
    }
  }
`)

/** The newest agents and active exports: as many as one page holds, so that an account of thousands is read as fast. */
const HomeAttentionDocument = graphql(`
  query HomeAttention {
    agents(first: 100) {
      nodes {
        id
        name
        state
        hasUnpublishedChanges
        publishedVersion {
          number
        }
      }
    }
    viewer {
      id
      exports(first: 100, filter: { state: ACTIVE }) {
        nodes {
          id
          name
          expiresAt
          dailyCreditLimit
          monthlyCreditLimit
          creditsUsedToday
          creditsUsedThisMonth
          agent {
            id
          }
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

export type Home = Whole<HomeQuery>
export type HomeAgent = Home['agents']['nodes'][number]
export type HomeConversation = Home['viewer']['conversations']['nodes'][number]

export type HomeAttention = Whole<HomeAttentionQuery>
export type AttentionExport = HomeAttention['viewer']['exports']['nodes'][number]

/** Which of the first steps are done, and what the home page shows besides figures. */
export const homeQuery = gqlQuery('home', HomeDocument)

/** What may need attention. */
export const attentionQuery = gqlQuery('homeAttention', HomeAttentionDocument)

/** The export whose first call is waited for: the newest one in use. */
export type HomeExport = Home['viewer']['exports']['nodes'][number]

/** How far an account has come. */
export type Steps = { create: boolean; publish: boolean; open: boolean; call: boolean }

/** Which of the first steps are done. The last one stays done when conversations or exports are deleted: its charge is kept. */
export function stepsOf({ agents, viewer }: Home): Steps {
  const call = viewer.calls.nodes.length > 0 || viewer.charges.nodes.some(({ exportName }) => exportName != null)
  const open = viewer.exports.nodes.length > 0
  const publish = open || agents.nodes.some(({ publishedVersion }) => publishedVersion != null)
  return { create: agents.totalCount > 0, publish, open, call }
}
