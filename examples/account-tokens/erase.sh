curl -sS http://127.0.0.1:8080/graphql \
  -H "Authorization: Bearer $AGENTCHAT_TOKEN" -H 'Content-Type: application/json' \
  -d '{"query": "mutation($user: String!) { deleteEndUser(input: {userId: $user}) { deletedCount } }", "variables": {"user": "customer-42"}}'
