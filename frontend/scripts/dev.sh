#!/bin/sh
# Starts the service with demo data behind the development server of the panel. Both end together. LISTEN_ADDR, OPS_ADDR and
# PANEL_PORT set other ports.
set -eu
cd "$(dirname "$0")/../.."
export LISTEN_ADDR="${LISTEN_ADDR:-127.0.0.1:8080}"
export PANEL_SERVICE_URL="${PANEL_SERVICE_URL:-http://$LISTEN_ADDR}"
./bin/agentchat serve --demo &
service=$!
# Without npm, which does not forward signals to the server.
(cd frontend && exec node node_modules/vite/bin/vite.js) &
panel=$!
trap 'kill "$service" "$panel" 2>/dev/null || true; wait' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# If one ends, so does the other.
while kill -0 "$service" 2>/dev/null && kill -0 "$panel" 2>/dev/null; do sleep 1; done
