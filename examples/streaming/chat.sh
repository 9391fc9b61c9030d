# bash and curl. Prints the events of the stream.
idempotency_key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
stream=$(mktemp)
headers=$(mktemp)
backoff=1
SECONDS=0
while [ "$SECONDS" -lt 200 ]; do
  : >"$headers"
  curl -sSN --fail-with-body --max-time 100 -D "$headers" http://127.0.0.1:8080/v1/agent/chat \
    -H "Authorization: Bearer $AGENTCHAT_API_KEY" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $idempotency_key" \
    -d '{"message": "Hello!", "session_id": "customer-42", "stream": true}' | tee "$stream"
  code=${PIPESTATUS[0]}
  wait=$(grep -i '^retry-after:' "$headers" | tr -dc '0-9')
  [ "$code" != 22 ] || [ -n "$wait" ] || exit 1 # refused
  if [ "$code" = 0 ]; then # otherwise the stream was cut
    ! grep -q '^event: error' "$stream" || grep -q '"code":"unavailable"' "$stream" || exit 1
    ! grep -q '^event: end' "$stream" || exit 0
  fi
  sleep "${wait:-$backoff}"
  backoff=$((backoff < 8 ? 2 * backoff : 8))
done
exit 1
