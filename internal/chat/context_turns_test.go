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

// TestContextTurns: the context is as many turns as the agent's setting, the newest ones, in order;
// with 0 it is empty.
func TestContextTurns(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	for _, turns := range []int{0, 1, 7, 40} {
		f := storetest.Seed(t, b.store, storetest.Options{ContextTurns: &turns, Instructions: "Be kind."})
		b.seedTurns(t, f, "s", 50)
		got := contextSeen(t, b.replicas[0], newMessage(f, "s", ""))
		if len(got.Turns) != 2*turns+1 || got.Instructions != "Be kind." {
			t.Fatalf("%d turns: the model was given %+v", turns, got)
		}
		for i := range turns {
			n := 50 - turns + 1 + i
			if got.Turns[2*i].Text != fmt.Sprint("message ", n) ||
				got.Turns[2*i+1].Text != fmt.Sprint("reply ", n) {
				t.Errorf("%d turns: place %d holds %+v", turns, i, got.Turns[2*i:2*i+2])
			}
		}
	}
	standard := storetest.Seed(t, b.store, storetest.Options{})
	b.seedTurns(t, standard, "s", 50)
	if got := contextSeen(t, b.replicas[0], newMessage(standard, "s", "")); len(got.Turns) != 81 {
		t.Errorf("by default: %d texts, want 40 turns and the message", len(got.Turns))
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
