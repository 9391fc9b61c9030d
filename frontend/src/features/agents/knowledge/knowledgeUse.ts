import { graphql } from '@/gql'
import { gqlQuery } from '@/shared/gql'

const KnowledgeUseDocument = graphql(`
  query KnowledgeUse($id: ID!) {
    agent(id: $id) {
      id
      knowledgeUse {
        sources
        maxSources
        passages
        maxPassages
        bytes
        maxBytes
        mode
      }
    }
  }
`)

/** How much an agent knows, and how that reaches its model. */
export const knowledgeUseQuery = (id: string) => gqlQuery('knowledgeUse', KnowledgeUseDocument, { id })
