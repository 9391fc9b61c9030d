// The documents of relay.test.ts, which relay-compiler reads; nothing runs them.
import { graphql } from 'relay-runtime'

graphql`
  query documentsViewerQuery {
    viewer { id name }
  }
`
// relay-compiler adds id wherever a type has one.
graphql`
  query documentsEverythingQuery {
    viewer {
      name
      creditHistory { nodes { amount agent { name } turn { state } } }
      conversations { nodes { sessionId agent { name } turns { nodes { state agent { name } conversation { preview } } } } }
      accountTokens { name createdBy { name } }
      invitations { email invitedBy { name } }
      members { role name }
      auditLog { nodes { action actor { name } } }
    }
    me { name signIns { current } memberships { role account { name } } }
    agents { nodes { name versions { nodes { number agent { name } } } } }
  }
`
graphql`
  query documentsMissingQuery($id: ID!) {
    viewer { id }
    agent(id: $id) { id }
  }
`
graphql`
  query documentsPageQuery($name: String!, $after: String) {
    agents(first: 1, after: $after, filter: { search: $name }) @connection(key: "documents_agents", filters: ["filter"]) {
      edges { node { id name } }
    }
  }
`
graphql`
  mutation documentsCreateMutation($input: CreateAgentInput!) {
    createAgent(input: $input) { agent { id name } }
  }
`
graphql`
  mutation documentsDeleteMutation($input: DeleteAgentInput!) {
    deleteAgent(input: $input) { deletedAgentId @deleteRecord }
  }
`
graphql`
  mutation documentsUploadMutation($input: AddKnowledgeFileInput!) {
    addKnowledgeFile(input: $input) { source { id name } }
  }
`
graphql`
  subscription documentsMessageSubscription($input: SendTestMessageInput!) {
    testMessage(input: $input) { ... on TestMessageDelta { text } ... on TestMessageEnded { turn { id reply } } }
  }
`
