package e2e_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// heavyQuery asks for as much as one request may: searches that match nothing, and usage of years.
func heavyQuery() string {
	fields := strings.Builder{}
	for i := range 10 {
		fmt.Fprintf(&fields, ` s%d: conversations(filter: {search: "zzz%d"}) { nodes { id } }`, i, i)
		fmt.Fprintf(&fields, ` u%d: usage(filter: {from: "2025-0%d-01T00:00:00Z", to: "2026-01-31T00:00:00Z"}, groupBy: [], interval: MONTH) { credits }`, i, i%9+1)
	}
	return `{ viewer {` + fields.String() + ` } }`
}

// TestQuietTenant: whatever another account does, chats of a quiet one stay nearly as fast as alone, each replica stays ready, and what
// the noisy one cannot have is refused with a time.
func TestQuietTenant(t *testing.T) {
	testlong.Only(t)
	for name, c := range map[string]struct {
		noisyOn int // replicas
		noises  func(*tenants) []noise
	}{
		"heavy reads":                   {1, func(n *tenants) []noise { return []noise{n.reads(60)} }},
		"some heavy reads":              {1, func(n *tenants) []noise { return []noise{n.reads(12)} }},
		"chats":                         {1, func(n *tenants) []noise { return []noise{n.manyChats()} }},
		"documents":                     {1, func(n *tenants) []noise { return []noise{n.documents()} }},
		"searches of knowledge":         {1, func(n *tenants) []noise { return []noise{n.knowledgeSearches(16)} }},
		"greedy examples":               {1, func(n *tenants) []noise { return []noise{n.examples()} }},
		"hostile searches":              {1, func(n *tenants) []noise { return []noise{n.hostileSearches()} }},
		"chats over two replicas":       {2, func(n *tenants) []noise { return []noise{n.manyChats()} }},
		"heavy reads over two replicas": {2, func(n *tenants) []noise { return []noise{n.reads(60)} }},
		"everything": {1, func(n *tenants) []noise {
			return []noise{n.reads(60), n.manyChats(), n.signIns(), n.documents()}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			n := newTenants(t)
			n.noisyOn = c.noisyOn
			n.measure(c.noises(n)...)
		})
	}
}

// TestQuietTenantBesideSearches: searches in 110 MB of another account's texts, four at once, leave the chats of 16 connections their pace.
func TestQuietTenantBesideSearches(t *testing.T) {
	testlong.Only(t)
	n := newTenants(t)
	n.conns = 16
	id := n.noisyID()
	agent := storetest.SeedAgent(t, n.store, id, storetest.Options{}).ID
	for range 10 { // statements have a time limit
		if _, err := n.store.SQL().ExecContext(t.Context(), `
			WITH c AS (INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
				SELECT gen_random_uuid(), $1, $2, 'API', gen_random_uuid()::text, 20, now() - n * interval '1 minute' FROM generate_series(1, 500) n
				RETURNING id)
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'FAILED',
				CASE n % 2 WHEN 0 THEN repeat('Are the biscuits in it free of nuts? ', 30) ELSE repeat('Печенье без орехов. ', 30) END, 'm', 0, 'r', now()
			FROM c, generate_series(1, 20) n`, id, agent); err != nil {
			t.Fatal(err)
		}
	}
	n.measure(noise{conns: 4, want: []string{"ok", "RATE_LIMITED"}, send: func(ctx context.Context, replica int) string {
		return n.post(ctx, replica, `{ viewer { conversations(first: 50, filter: {text: "parcel"}) { nodes { id } } } }`)
	}})
}

// manyChats are chats of the noisy tenant on 32 connections.
func (n *tenants) manyChats() noise {
	n.t.Helper()
	id := n.noisyID()
	talker := storetest.SeedAgent(n.t, n.store, id, storetest.Options{Model: "sandbox/free"})
	var keys []string // enough to stay below the rate of each
	for range 4 {
		_, _, key := storetest.SeedExport(n.t, n.store, id, talker.ID, n.quiet.Export.RatePerMinute)
		keys = append(keys, key.Reveal())
	}
	var sent atomic.Int64
	return noise{conns: 32, want: []string{"200"}, send: func(ctx context.Context, replica int) string {
		key := keys[int(sent.Add(1))%len(keys)]
		got, err := ask(ctx, n.http, n.chat(replica), key, uuid.NewString(), "hello")
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	}}
}

// reads are heavy reads of the noisy tenant.
func (n *tenants) reads(conns int) noise {
	n.t.Helper()
	id := n.noisyID()
	n.fill(id, storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID)
	query := heavyQuery()
	return noise{conns: conns, want: []string{"ok", "RATE_LIMITED"}, refused: conns > 32, send: func(ctx context.Context, replica int) string {
		return n.post(ctx, replica, query)
	}}
}

func (n *tenants) noisyID() uuid.UUID {
	n.t.Helper()
	b := newBrowser(n.t)
	b.Token = n.token
	var viewer struct{ ID uuid.UUID }
	b.must(n.replicas[0], viewerQuery, nil).into(n.t, "viewer", &viewer)
	return viewer.ID
}

// signIns are sign-ins to made-up accounts on 100 connections of one address.
func (n *tenants) signIns() noise {
	n.t.Helper()
	flooders := make(chan *browser, 100)
	for range cap(flooders) {
		flooders <- newBrowser(n.t, "X-Forwarded-For", "203.0.113.1")
	}
	return noise{conns: cap(flooders), want: []string{"INVALID_CREDENTIALS", "RATE_LIMITED"}, refused: true,
		send: func(_ context.Context, replica int) string {
			b := <-flooders
			defer func() { flooders <- b }()
			got, err := b.signIn(n.replicas[replica], signInQuery, uuid.NewString()+"@example.com", "Summer2026!")
			if err != nil {
				return err.Error()
			}
			return got.code()
		}}
}

// documents are large ones without a token, no two the same, on 8 connections.
func (n *tenants) documents() noise {
	return noise{conns: 8, want: []string{"UNAUTHENTICATED"}, send: func(ctx context.Context, replica int) string {
		return n.postAs(ctx, replica, "", fmt.Sprintf("{ viewer { ... { %s} } } # %s", strings.Repeat("id ", 900), uuid.New()))
	}}
}

// fill gives the noisy tenant so many conversations and charges that reading them takes long.
func (n *tenants) fill(account, agent uuid.UUID) {
	n.t.Helper()
	const conversations = 50_000
	for _, statement := range []string{
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', 'session ' || n, 0, now() - n * interval '1 minute' FROM generate_series(1, $3::int) n`,
		`ANALYZE conversations`,
	} {
		args := []any{account, agent, conversations}
		if strings.HasPrefix(statement, "ANALYZE") {
			args = nil
		}
		if _, err := n.store.SQL().ExecContext(n.t.Context(), statement, args...); err != nil {
			n.t.Fatal(err)
		}
	}
}
