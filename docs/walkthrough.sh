#!/usr/bin/env bash
# Walks through the whole workflow with GraphQL and REST: what an owner does in the control panel, and what a program does that talks to
# the agent. Run it while `make run` is running:
#
#   docs/walkthrough.sh
#
# Environment variables:
#   BASE_URL         the service's address; default http://localhost:8080
#   EMAIL, PASSWORD  the account, created if it does not exist; for a service on this machine, they have defaults
#   MODEL            the agent's model; default sandbox/assistant, which needs no network
#
# The script needs curl and Node (for JSON). It stops at the first unexpected answer.
set -euo pipefail

BASE_URL=${BASE_URL:-http://localhost:8080}
BASE_URL=${BASE_URL%/}
MODEL=${MODEL:-sandbox/assistant}
case $BASE_URL in
http://localhost | http://localhost:* | http://127.0.0.1 | http://127.0.0.1:*)
	EMAIL=${EMAIL:-ada@example.com}
	PASSWORD=${PASSWORD:-a password for trying it out}
	;;
*) : "${EMAIL:?set EMAIL and PASSWORD for a service on another machine}" "${PASSWORD:?set PASSWORD}" ;;
esac

# --- Helpers ----------------------------------------------------------------------------------------------------------

step() { printf '\n== %s\n' "$*"; }

fail() {
	printf 'walkthrough: %s\n' "$*" >&2
	exit 1
}

# object NAME VALUE … prints a JSON object of strings. A value that starts with @json: is inserted as JSON.
object() {
	node -e '
		const out = {}, args = process.argv.slice(1)
		for (let i = 0; i < args.length; i += 2)
			out[args[i]] = args[i + 1].startsWith("@json:") ? JSON.parse(args[i + 1].slice(6)) : args[i + 1]
		process.stdout.write(JSON.stringify(out))' -- "$@"
}

# field PATH prints the value at a path such as data.viewer.id in the JSON on standard input, or nothing without a value.
field() {
	node -e '
		const found = process.argv[1].split(".").reduce((at, name) => at?.[name], JSON.parse(require("fs").readFileSync(0, "utf8")))
		if (found !== undefined && found !== null) console.log(typeof found === "object" ? JSON.stringify(found) : found)' -- "$1"
}

# --- The control panel's API ------------------------------------------------------------------------------------------

access_token=

# graphql QUERY [VARIABLES] sends one operation and prints the response, including errors. Every operation is a POST of JSON to one
# address, with the access token in the Authorization header. The cookie set by signing in is not needed: it renews the access token,
# which is valid for 15 minutes.
graphql() {
	local query=$1 variables=${2:-'{}'} headers=(-H 'Content-Type: application/json')
	[ -z "$access_token" ] || headers+=(-H "Authorization: Bearer $access_token")
	curl -sS --max-time 30 "${headers[@]}" -d "$(object query "$query" variables "@json:$variables")" "$BASE_URL/graphql"
}

# owner does the same, but stops the script on an error. Every error has a code in extensions.code.
owner() {
	local answer code
	answer=$(graphql "$@") || fail "$BASE_URL does not answer: is the service running? (make run)"
	code=$(field errors.0.extensions.code <<<"$answer")
	[ -z "$code" ] || fail "the answer is $code: $(field errors.0.message <<<"$answer")"
	printf '%s' "$answer"
}

# --- The public chat API ----------------------------------------------------------------------------------------------

# chat KEY MESSAGE sends a message to the agent of a key and sets status, body, code, reply and version. All messages with the same
# session_id form one conversation. You choose the ID, for example a customer number.
#
# An Idempotency-Key makes retries safe: the same key with the same message returns the same reply and is charged once.
chat() {
	local key=$1 message=$2 answer
	answer=$(curl -sS --max-time 100 -w '\n%{http_code}' -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
		-H "Idempotency-Key: $(node -p 'crypto.randomUUID()')" \
		-d "$(object message "$message" session_id "$session")" "$BASE_URL/v1/agent/chat")
	status=${answer##*$'\n'} body=${answer%$'\n'*}
	code=$(field error.code <<<"$body") reply=$(field reply <<<"$body") version=$(field agent_version <<<"$body")
}

# say KEY MESSAGE sends a message and expects a reply.
say() {
	printf 'you:   %s\n' "$2"
	chat "$1" "$2"
	[ "$status" = 200 ] || fail "the message was refused: $status $code"
	printf 'agent: %s\n       (%s credit, %s left)\n' "$reply" "$(field usage.credits <<<"$body")" \
		"$(field usage.credits_remaining <<<"$body")"
}

# refused KEY sends a message and expects 401.
refused() {
	chat "$1" "Hello?"
	[ "$status $code" = '401 unauthorized' ] || fail "a stopped key was answered with $status $code"
	printf 'answered with 401 unauthorized, like every key that is missing, wrong or stopped\n'
}

credits() { owner '{ viewer { creditsAvailable } }' | field data.viewer.creditsAvailable; }

# new_export NAME creates an API export of the agent and sets export_id and key. Only this response contains the key, because the service
# stores its hash. Put it where your program keeps its secrets.
new_export() {
	local answer
	answer=$(owner 'mutation($input: CreateApiExportInput!) {
		createApiExport(input: $input) { apiKey export { id name state keys { hint } } } }' \
		"$(object input "@json:$(object agentId "$agent_id" name "$1")")")
	export_id=$(field data.createApiExport.export.id <<<"$answer")
	key=$(field data.createApiExport.apiKey <<<"$answer")
	printf 'export "%s", key %s: shown this once only\n' "$1" \
		"$(field data.createApiExport.export.keys.0.hint <<<"$answer")"
}

# replace_key ID TIME gives an export a second key and sets key. The old key works until TIME, at most 30 days from now.
replace_key() {
	local answer
	answer=$(owner 'mutation($input: ReplaceApiKeyInput!) {
		replaceApiKey(input: $input) { apiKey export { name keys { hint } } } }' \
		"$(object input "@json:$(object exportId "$1" oldKeyStopsAt "$2")")")
	key=$(field data.replaceApiKey.apiKey <<<"$answer")
	printf 'export "%s", new key %s: shown this once only, too\n' "$(field data.replaceApiKey.export.name <<<"$answer")" \
		"$(field data.replaceApiKey.export.keys.0.hint <<<"$answer")"
}

# remove_export ID removes an export. Once this call returns, no replica accepts its keys.
remove_export() {
	owner 'mutation($input: RemoveApiExportInput!) { removeApiExport(input: $input) { export { name state } } }' \
		"$(object input "@json:$(object id "$1")")" | field data.removeApiExport.export.state
}

# --- 1. Sign up, or sign in -------------------------------------------------------------------------------------------

step "Sign up as $EMAIL"
answer=$(graphql 'mutation($input: SignUpInput!) { signUp(input: $input) { accessToken account { creditsAvailable } } }' \
	"$(object input "@json:$(object email "$EMAIL" password "$PASSWORD" name Ada)")") ||
	fail "$BASE_URL does not answer: is the service running? (make run)"
case $(field errors.0.extensions.code <<<"$answer") in
'')
	access_token=$(field data.signUp.accessToken <<<"$answer")
	printf 'a new account\n'
	;;
CONFLICT | SIGN_UP_CLOSED) # the account exists, or only the operator opens accounts
	answer=$(owner 'mutation($input: SignInInput!) { signIn(input: $input) { accessToken } }' \
		"$(object input "@json:$(object email "$EMAIL" password "$PASSWORD")")")
	access_token=$(field data.signIn.accessToken <<<"$answer")
	printf 'signed in to the account that exists\n'
	;;
*) fail "$(field errors.0.message <<<"$answer")" ;;
esac
credits_before=$(credits)
printf '%s credits\n' "$credits_before"

# --- 2. Make an agent -------------------------------------------------------------------------------------------------

step "Create an agent"
# A name is enough to start. The agent is a draft and lists what is missing.
answer=$(owner 'mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id state missing } } }' \
	"$(object input "@json:$(object name 'Shop assistant')")")
agent_id=$(field data.createAgent.agent.id <<<"$answer")
printf '%s, a %s that lacks %s\n' "$agent_id" "$(field data.createAgent.agent.state <<<"$answer")" \
	"$(field data.createAgent.agent.missing <<<"$answer")"

step "Write its instructions and choose its model"
owner '{ models { name available creditsPerMessage } }' | node -e '
	for (const m of JSON.parse(require("fs").readFileSync(0, "utf8")).data.models)
		console.log(`${m.available ? "available    " : "not set up   "} ${m.name}, ${m.creditsPerMessage} a message`)'
# An update changes only the given fields.
answer=$(owner 'mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent { missing model { name } } } }' \
	"$(object input "@json:$(object id "$agent_id" model "$MODEL" \
		instructions 'You are the assistant of a small shop. Answer briefly.')")")
printf 'chosen: %s; still missing: %s\n' "$(field data.updateAgent.agent.model.name <<<"$answer")" \
	"$(field data.updateAgent.agent.missing <<<"$answer")"

step "Publish it"
# Callers get the version that was published last. Edits stay in the draft until they are published.
publish() {
	local answer
	answer=$(owner 'mutation($input: PublishAgentInput!) {
		publishAgent(input: $input) { agent { state } version { number } } }' \
		"$(object input "@json:$(object id "$agent_id" note "$1")")")
	printf '%s, version %s\n' "$(field data.publishAgent.agent.state <<<"$answer")" \
		"$(field data.publishAgent.version.number <<<"$answer")"
}
publish "The first version"

# --- 3. Give a program access -----------------------------------------------------------------------------------------

step "Create an API export"
new_export "Web shop"
old_key=$key

# --- 4. Chat ----------------------------------------------------------------------------------------------------------

session="customer-$(node -p 'crypto.randomUUID()')"
step "Chat twice in the session $session"
say "$old_key" "Hello, my name is Ada."
say "$old_key" "What is my name?"
grep -q Ada <<<"$reply" || fail "the second reply does not know the first message"

step "Look at the credits"
credits_after=$(credits)
printf '%s before, %s after two messages\n' "$credits_before" "$credits_after"

step "Change the instructions"
# The draft can be tried in the panel, in Try. Callers get it when it is published.
owner 'mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent { hasUnpublishedChanges } } }' \
	"$(object input "@json:$(object id "$agent_id" \
		instructions 'You are the assistant of a small shop. Answer in one sentence.')")" >/dev/null
say "$old_key" "What do you sell?"
[ "$version" = 1 ] || fail "a change went live before it was published: version $version answered"
publish "Shorter answers"
say "$old_key" "And what does it cost?"
[ "$version" = 2 ] || fail "version 2 is live, but version $version answered"

# --- 5. Replace the key -----------------------------------------------------------------------------------------------

# A key is replaced inside its export, so limits, counters and history stay. The old key works until a time you choose. Both keys continue
# the same conversations, so the program can switch at any time before.
step "Replace the key"
replace_key "$export_id" "$(node -p 'new Date(Date.now() + 3600_000).toISOString()')"
new_key=$key

step "Both keys, in the same session"
say "$new_key" "Do you still know? What is my name?"
grep -q Ada <<<"$reply" || fail "the new key does not continue the conversation"
say "$old_key" "Are you still there?"

# End the old key early once the program has the new one, or at once if the old key has leaked. After this call, no replica accepts it.
step "End the old key"
answer=$(owner 'query($id: ID!) { agent(id: $id) { exports { keys { id } } } }' "$(object id "$agent_id")")
old_id=$(field data.agent.exports.0.keys.1.id <<<"$answer")
owner 'mutation($input: StopApiKeyInput!) { stopApiKey(input: $input) { export { keys { hint } } } }' \
	"$(object input "@json:$(object keyId "$old_id")")" >/dev/null
refused "$old_key"

# --- 6. Remove access -------------------------------------------------------------------------------------------------

step "Remove the export"
printf 'the export: %s\n' "$(remove_export "$export_id")"
refused "$new_key"
credits_end=$(credits)
printf '%s credits left: refusals cost nothing\n' "$credits_end"

step "Sign out"
owner 'mutation { signOut { ok } }' >/dev/null
code=$(graphql '{ viewer { id } }' | field errors.0.extensions.code)
[ "$code" = UNAUTHENTICATED ] || fail "the access token still works after signing out"
printf 'the access token has stopped\n\nDone.\n'
