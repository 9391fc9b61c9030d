package graph_test

import (
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// TestTextsTakeMemory: the long texts of a response reserve memory, are refused without it, and
// release it.
func TestTextsTakeMemory(t *testing.T) {
	t.Parallel()
	const length, perText = 100_000, 100_000 + 3*(100_000+2) // as read, and as JSON
	budget := memory.Bytes(2 * (2*perText + 64<<10))         // an account gets half, some of it for the fields
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	a := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{})
	for _, label := range []string{"first", "second"} {
		u.settle(t, u.begin(t, a.ID, nil, label, strings.Repeat("m", length)).Turn, conversation.Failed)
	}
	const texts, ids = `{ viewer { conversations { nodes { turns { nodes { message } } } } } }`,
		`{ viewer { conversations { nodes { turns { nodes { id } } } } } }`
	for range 2 {
		allFree(t, budget)
		u.do(t, texts, nil).wantNone(t, "with enough")
	}
	allFree(t, budget)
	other := budget.Hold(memory.Panel(u.account.ID))
	if err := other.Grow(perText); err != nil {
		t.Fatal(err)
	}
	if got := u.do(t, texts, nil); got.code() != "UNAVAILABLE" || got.status != 503 {
		t.Errorf("with too little: %.300s", got.body)
	}
	u.do(t, ids, nil).wantNone(t, "without texts")
	other.Release()
	allFree(t, budget)
}

// allFree waits until no memory is reserved. A response arrives before its request has ended.
func allFree(t *testing.T, budget *memory.Budget) {
	t.Helper()
	for budget.Used() > 0 && t.Context().Err() == nil {
		runtime.Gosched()
	}
}

// leaveMemory reserves all but left bytes of an account's share in the panel, which is half of the
// budget, until it is released.
func leaveMemory(t *testing.T, budget *memory.Budget, account uuid.UUID, left int64) (release func()) {
	t.Helper()
	allFree(t, budget)
	other := budget.Hold(memory.Panel(account))
	if err := other.Grow(budget.Size()/2 - left); err != nil {
		t.Fatal(err)
	}
	return other.Release
}

// TestCallersLeaveMemoryToUsers: while unknown callers and a leaked API key have used up their
// shares, signed-in users get responses.
func TestCallersLeaveMemoryToUsers(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(1 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	defer leaveMemory(t, budget, uuid.Nil, 0)()
	caller := budget.Hold(u.account.ID)
	defer caller.Release()
	for n := budget.Size(); n > 0; n /= 2 {
		_ = caller.Grow(n) // as often as it fits
	}
	u.do(t, `{ viewer { id } }`, nil).wantNone(t, "signed in")
	b.do(t, call{query: `{ serviceInfo { version } }`}).
		want(t, "unknown", http.StatusServiceUnavailable, "UNAVAILABLE")
}

// TestWhatWasDoneIsAnswered: a mutation that found memory for its request is answered even if none
// is left for the response: only that shows a new key, and a retry would be charged again. Long
// lists in it stay empty, with an error.
func TestWhatWasDoneIsAnswered(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(64 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	a := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{})
	for _, label := range []string{"first", "second", "third"} {
		u.settle(t, u.begin(t, a.ID, nil, label, strings.Repeat("m", 100_000)).Turn, conversation.Failed)
	}
	// withLittle sends a request whose body takes all but 100 bytes of what is left for an account.
	withLittle := func(account uuid.UUID, token, query string, v vars) answer {
		body, err := json.Marshal(map[string]any{"query": query, "variables": v})
		if err != nil {
			t.Fatal(err)
		}
		defer leaveMemory(t, budget, account, 4*int64(len(body))+100)()
		return b.do(t, call{body: string(body), token: token})
	}
	created := withLittle(u.account.ID, u.token, createExport, vars{
		"input": vars{"agentId": a.ID}}).wantNone(t, "createApiExport")
	if created.text(t, "createApiExport.apiKey"); created.list("createApiExport.export.keys") != 1 {
		t.Errorf("created: %.500s", created.body)
	}
	withLittle(uuid.Nil, "", signInDocument, vars{"email": u.account.Email, "password": password}).wantNone(t, "signIn")
	const rename = `mutation { updateAccount(input: {name: "Grace"}) { account { name
		conversations { nodes { turns { nodes { message } } } } } } }`
	renamed := withLittle(u.account.ID, u.token, rename, nil)
	nodes := "updateAccount.account.conversations.nodes"
	if renamed.status != 200 || renamed.code() != "LIMIT_EXCEEDED" || renamed.get("updateAccount.account.name") != "Grace" ||
		renamed.list(nodes) != 3 || renamed.list(nodes+".0.turns.nodes") != 0 {
		t.Errorf("with long texts: %d %.500s", renamed.status, renamed.body)
	}
	const query = `{ viewer { name } }` // short fields reserve memory as well
	withLittle(u.account.ID, u.token, query, nil).want(t, "a query", 503, "UNAVAILABLE")
}
