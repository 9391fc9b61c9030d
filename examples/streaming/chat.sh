# bash and curl. Prints the events of the stream.
idempotency_key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
stream=$(mktemp)
for wait in 1 2 4 0; do
  curl -sSN --fail-with-body --max-time 100 http://127.0.0.1:8080/v1/agent/chat \
    -H "Authorization: Bearer $AGENTCHAT_API_KEY" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $idempotency_key" \
    -d '{"message": "Hello!", "session_id": "customer-42", "stream": true}' | tee "$stream"
  [ "${PIPESTATUS[0]}" != 22 ] || exit 1 # refused
  ! grep -q '^event: error' "$stream" || exit 1
  ! grep -q '^event: end' "$stream" || exit 0
  sleep "$wait"
done
exit 1
