package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// seedTurns gives a fixture's agent a conversation of answered turns: "message 1", "reply 1" and so
// on.
func seedTurns(t testing.TB, s *store.DB, f storetest.Fixture, session string, turns int) {
	t.Helper()
	_, err := s.SQL().ExecContext(t.Context(), `
		WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			VALUES (gen_random_uuid(), $1, $2, 'API', $3, $4::int) RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price,
			request_id, deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'message ' || n, 'reply ' || n, 'm', 0, 'r', now()
		FROM c, generate_series(1, $4::int) n`, f.Account.ID, f.Agent.ID, session, turns)
	if err != nil {
		t.Fatal(err)
	}
}

// contextSeen sends a message whose reply is the context that the model was given.
func contextSeen(t *testing.T, s *chat.Service, f storetest.Fixture, session string) seen {
	t.Helper()
	var got seen
	answer := send(t, s, newMessage(f, session, "[[sandbox history]]"))
	if err := json.Unmarshal([]byte(answer.Reply), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestContextTurns: the context is as many turns as the agent's setting, the newest ones, in order;
// with 0 it is empty.
func TestContextTurns(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	for _, turns := range []int{0, 1, 7, 40} {
		f := storetest.Seed(t, b.store, storetest.Options{ContextTurns: &turns, Instructions: "Be kind."})
		seedTurns(t, b.store, f, "s", 50)
		got := contextSeen(t, b.replicas[0], f, "s")
		if len(got.Turns) != 2*turns+1 || got.Instructions != "Be kind." {
			t.Fatalf("%d turns: the model was given %+v", turns, got)
		}
		for i := range turns {
			n := 50 - turns + 1 + i
			if got.Turns[2*i].Text != fmt.Sprint("message ", n) || got.Turns[2*i+1].Text != fmt.Sprint("reply ", n) {
				t.Errorf("%d turns: place %d holds %+v", turns, i, got.Turns[2*i:2*i+2])
			}
		}
	}
	standard := storetest.Seed(t, b.store, storetest.Options{})
	seedTurns(t, b.store, standard, "s", 50)
	if got := contextSeen(t, b.replicas[0], standard, "s"); len(got.Turns) != 81 {
		t.Errorf("by default: %d texts, want 40 turns and the message", len(got.Turns))
	}
}

// narrow is a model with three and a half bytes per token that refuses a prompt larger than its
// window.
type narrow struct{ window int }

func (m narrow) Generate(_ context.Context, req llm.Request, _ func(string) error) (llm.Reply, error) {
	bytes := len(req.Instructions) + len(req.Message)
	for _, turn := range req.History {
		bytes += len(turn.User) + len(turn.Assistant)
	}
	input := int64(2*bytes/7 + 4*len(req.History))
	if input > int64(m.window) {
		return llm.Reply{}, fault.New(fault.ModelError, "over the window")
	}
	text := fmt.Sprint(len(req.History), " ", strings.Repeat("r", 400))
	output := int64(2 * len(text) / 7)
	return llm.Reply{Text: text, Finish: llm.FinishStop, InputTokens: &input, OutputTokens: &output}, nil
}

// TestContextByteLimit tests that a prompt has at most 96 KiB of earlier turns, however large the
// window.
func TestContextByteLimit(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/wide", ContextWindow: 100_000_000,
			Model: narrow{100_000_000}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/wide"})
	seedTurns(t, b.store, f, "s", 50)
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE turns SET message = repeat('m', 10000)`); err != nil {
		t.Fatal(err)
	}
	answer := send(t, b.replicas[0], newMessage(f, "s", "hello"))
	if !strings.HasPrefix(answer.Reply, "9 ") {
		t.Errorf("given %.3s turns of 10,008 bytes, want 9", answer.Reply)
	}
}
