curl -sS http://127.0.0.1:8080/graphql \
  -H "Authorization: Bearer $AGENTCHAT_TOKEN" -H 'Content-Type: application/json' \
  -d '{"query": "query($user: String) { viewer { conversations(first: 20, filter: {userId: $user}) { nodes { id sessionId turns(first: 20) { nodes { createdAt message reply } } } } } }", "variables": {"user": "customer-42"}}'
