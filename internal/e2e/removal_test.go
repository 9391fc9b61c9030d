package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// ownedExport is an agent that an owner created over the panel's API, and an export with its key.
type ownedExport struct{ agent, export, key string }

// revocation is a mutation that stops an owner's keys, and the status that their requests get from then on.
type revocation struct {
	name, mutation string
	input          func(ownedExport) map[string]any
	status         int
	// until waits for the stop, where the mutation's answer is not it; true once it has come.
	until string
}

// revocationOf returns the revocation by a mutation.
func revocationOf(name string) revocation {
	return revocations[slices.IndexFunc(revocations, func(r revocation) bool { return r.name == name })]
}

// revocations are the ways to stop an owner's keys.
var revocations = []revocation{
	{"pauseApiExport", `mutation($input: PauseApiExportInput!) { pauseApiExport(input: $input) { export { state } } }`,
		func(o ownedExport) map[string]any { return map[string]any{"id": o.export} }, http.StatusForbidden, ""},
	{"removeApiExport", `mutation($input: RemoveApiExportInput!) { removeApiExport(input: $input) { export { state } } }`,
		func(o ownedExport) map[string]any { return map[string]any{"id": o.export} }, http.StatusUnauthorized, ""},
	{"expiresAt", `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { state } } }`,
		func(o ownedExport) map[string]any {
			return map[string]any{"id": o.export, "expiresAt": time.Now().Add(2 * time.Second).UTC().Format(time.RFC3339Nano)}
		}, http.StatusUnauthorized, `SELECT expires_at <= clock_timestamp() FROM api_exports WHERE id = $1`},
	{"replaceApiKey", `mutation($input: ReplaceApiKeyInput!) { replaceApiKey(input: $input) { export { state } } }`,
		func(o ownedExport) map[string]any { return map[string]any{"exportId": o.export} }, http.StatusUnauthorized, ""},
	{"suspension", `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { account { id } } }`,
		func(ownedExport) map[string]any { return map[string]any{"name": "Suspended"} }, http.StatusForbidden,
		`WITH u AS (UPDATE accounts SET state = 'SUSPENDED' WHERE id = (SELECT account_id FROM api_exports WHERE id = $1) RETURNING id)
			SELECT count(*) = 1 FROM u`},
	{"deleteAgent", `mutation($input: DeleteAgentInput!) { deleteAgent(input: $input) { deletedAgentId } }`,
		func(o ownedExport) map[string]any { return map[string]any{"id": o.agent} }, http.StatusUnauthorized, ""},
	{"deleteAccount", `mutation($input: DeleteAccountInput!) { deleteAccount(input: $input) { ok } }`,
		func(ownedExport) map[string]any { return map[string]any{"password": ownersPassword} }, http.StatusUnauthorized, ""},
}

// The operations of making an agent and giving access to it.
const (
	createAgent    = `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }`
	updateDraft    = `mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent { id } } }`
	publishAgent   = `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { agent { state } } }`
	unpublishAgent = `mutation($input: UnpublishAgentInput!) { unpublishAgent(input: $input) { agent { state } } }`
	createExport   = `mutation($input: CreateApiExportInput!) { createApiExport(input: $input) { apiKey export { id } } }`
)

// newOwnedExport signs up a new owner on a replica and creates an agent with an export.
func newOwnedExport(t *testing.T, r *replica, address string) (*browser, ownedExport) {
	t.Helper()
	b := newBrowser(t, "X-Forwarded-For", address) // sign-ups are limited by address
	b.signedUp(r, uuid.NewString()+"@example.com", ownersPassword)
	return b, makeExport(t, b, r)
}

// makeExport creates an agent of a signed-in owner, with an export.
func makeExport(t *testing.T, b *browser, r *replica) ownedExport {
	t.Helper()
	var made struct{ Agent struct{ ID string } }
	b.must(r, createAgent, map[string]any{
		"name": "Pilot", "instructions": "Pilot.", "model": storetest.SandboxModel}).into(t, "createAgent", &made)
	b.must(r, publishAgent, map[string]any{"id": made.Agent.ID})
	var export struct {
		APIKey string
		Export struct{ ID string }
	}
	b.must(r, createExport, map[string]any{
		"agentId": made.Agent.ID, "name": "Export", "rateLimitPerMinute": 6000}).into(t, "createApiExport", &export)
	return ownedExport{made.Agent.ID, export.Export.ID, export.APIKey}
}

// TestRemovalOverTwoReplicas: an owner pauses or removes the export, lets it expire, or deletes the agent or the account, over one
// replica's panel API, or the account is suspended, while the key is used on the other replica. No request that starts after that was answered is accepted.
func TestRemovalOverTwoReplicas(t *testing.T) {
	t.Parallel()
	p, c := newPair(t, "STARTING_CREDITS=100000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	auditing(t, p.store)
	var accepted, before atomic.Int64
	for round, revoke := range revocations {
		b, o := newOwnedExport(t, p.replicas[0], fmt.Sprint("10.0.0.", 1+round))
		var removed atomic.Bool
		var used atomic.Int64
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				for {
					after := removed.Load()
					got, err := ask(t.Context(), c, p.replicas[1].Chat, o.key, "", "hello")
					switch {
					case after && (err != nil || got.Status != revoke.status):
						accepted.Add(1)
						t.Errorf("round %d: a request that started after %s: %s %v", round, revoke.name, got.outcome(), err)
						return
					case after:
						return
					case err == nil && got.Status == http.StatusOK:
						used.Add(1)
						before.Add(1)
					}
				}
			})
		}
		eventually(t, "the key is in use", func() bool { return used.Load() > 5 })
		b.must(p.replicas[0], revoke.mutation, revoke.input(o))
		if revoke.until != "" {
			eventually(t, revoke.name, func() bool {
				var stopped bool
				return p.store.SQL().QueryRowContext(t.Context(), revoke.until, o.export).Scan(&stopped) == nil && stopped
			})
		}
		removed.Store(true)
		work.Wait()
	}
	storetest.Audit(t, p.store)
}
