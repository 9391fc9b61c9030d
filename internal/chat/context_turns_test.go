package chat_test

import (
	"fmt"
	"testing"

	"agentchat/internal/chat"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// seedTurns gives a fixture's agent a conversation of answered turns without charges: "message 1",
// "reply 1" and so on.
func (b *setup) seedTurns(t *testing.T, f storetest.Fixture, session string, turns int) {
	t.Helper()
	b.unaudited = true
	storetest.Exec(t, b.store, `
		WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			VALUES (gen_random_uuid(), $1, $2, 'API', $3, $4::int) RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price,
			request_id, deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'message ' || n, 'reply ' || n, 'm', 0, 'r', now()
		FROM c, generate_series(1, $4::int) n`, f.Account.ID, f.Agent.ID, session, turns)
}

// TestContextTurns tests that the context is as many turns as the agent's setting, the newest ones,
// in order. The default is 40.
func TestContextTurns(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	for n, setting := range map[int]*int{0: new(0), 7: new(7), 40: nil} {
		f := storetest.Seed(t, b.store, storetest.Options{ContextTurns: setting})
		b.seedTurns(t, f, "s", 50)
		var want []string
		for i := 50 - n; i < 50; i++ {
			want = append(want, fmt.Sprint("message ", i+1))
		}
		wantSeen(t, fmt.Sprint(n, " turns"), b.replicas[0], newMessage(f, "s", ""), want...)
	}
}

// TestContextByteLimit tests that a prompt has at most 96 KiB of earlier turns, however large the
// window.
func TestContextByteLimit(t *testing.T) {
	t.Parallel()
	m := script(says("Hi."))
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/wide", ContextWindow: 100_000_000, Model: m})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/wide"})
	b.seedTurns(t, f, "s", 50)
	storetest.Exec(t, b.store, `UPDATE turns SET message = repeat('m', 10000)`)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	stored := storetest.CountRows(t, b.store, `SELECT earlier_turns FROM turns WHERE message = 'hello'`)
	if n := len(m.last().History); n != 9 || stored != 9 {
		t.Errorf("given %d turns of 10,008 bytes, want 9; stored %d", n, stored)
	}
}
