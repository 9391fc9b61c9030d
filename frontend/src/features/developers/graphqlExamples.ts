/** Operations to copy into a program or the explorer. */
export const examples = {
  listAgents: `query Agents($after: String) {
  agents(first: 50, after: $after, orderBy: {field: LAST_USED, direction: DESC}) {
    nodes {
      id
      name
      state
      lastUsedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
  pageConversations: `query Conversations($after: String) {
  viewer {
    conversations(first: 100, after: $after) {
      nodes {
        id
        sessionId
        userId
        turnCount
        lastTurnAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
  replaceKey: `mutation ReplaceKey($exportId: ID!, $oldKeyStopsAt: DateTime) {
  replaceApiKey(input: {exportId: $exportId, oldKeyStopsAt: $oldKeyStopsAt}) {
    apiKey
  }
}`,
} as const
