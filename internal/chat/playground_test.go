package chat_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
)

func newTestMessage(f storetest.Fixture, session, message string) chat.Message {
	return chat.Message{
		Source:    conversation.Playground,
		AccountID: f.Account.ID,
		AgentID:   f.Agent.ID,
		Session:   &session,
		Text:      message,
		RequestID: uuid.NewString(),
	}
}

// seedBare creates an agent without a model.
func seedBare(t *testing.T, s *store.DB, f storetest.Fixture) uuid.UUID {
	t.Helper()
	bare, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: "bare"})
	if err != nil {
		t.Fatal(err)
	}
	return bare.ID
}

func TestPlaygroundIsTheSameEngine(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{Draft: true, Instructions: "Be kind."})
	send(t, b.replicas[0], newTestMessage(f, "s", "My name is Ada"))
	if got := contextSeen(t, b.replicas[0], newTestMessage(f, "s", "")); len(got.Turns) != 3 ||
		got.Instructions != "Be kind." {
		t.Errorf("context %+v", got)
	}
	if n := storetest.CountRows(t, b.store,
		`SELECT count(*) FROM turns WHERE state = 'ANSWERED' AND source = 'PLAYGROUND'`); n != 2 {
		t.Errorf("%d answered turns", n)
	}
	wantCredits(t, b.store, f, 98) // the same price
}

// TestPlaygroundWithAnotherModel tests that a chosen model answers instead of the draft's, at its
// own price, even for a draft without a model.
func TestPlaygroundWithAnotherModel(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	for name, id := range map[string]uuid.UUID{
		"with a model": f.Agent.ID,
		"without one":  seedBare(t, b.store, f),
	} {
		msg := newTestMessage(f, "s", "hello")
		msg.AgentID, msg.Model = id, "sandbox/free"
		if got := send(t, b.replicas[0], msg); got.Model != "sandbox/free" || got.Credits != 0 ||
			endOf(t, b.store, msg.RequestID) != "ANSWERED sandbox/free false 0" {
			t.Errorf("a draft %s: %+v", name, got)
		}
	}
	msg := newTestMessage(f, "s", "hello")
	msg.Model = "sandbox/withdrawn"
	wantFault(t, b.replicas[0], msg, fault.AgentNotReady)
	api := newMessage(f, "s", "hello")
	api.Model = "sandbox/free"
	if got := send(t, b.replicas[0], api); got.Model != storetest.SandboxModel || got.Credits != 1 {
		t.Errorf("a caller chose the model: %+v", got)
	}
}

// TestPlaygroundHasItsOwnSessions tests that a session ID or an idempotency key in the playground
// never continues or replays a conversation of the API.
func TestPlaygroundHasItsOwnSessions(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	send(t, b.replicas[0], newMessage(f, "s", "through the API"))
	wantSeen(t, "the playground", b.replicas[0], newTestMessage(f, "s", ""))
	wantSeen(t, "the API", b.replicas[0], newMessage(f, "s", ""), "through the API")
	key, other := newTestMessage(f, "s2", "hello"), newMessage(f, "s2", "hello")
	key.IdempotencyKey, other.IdempotencyKey = "same", "same"
	first, again := send(t, b.replicas[0], key), send(t, b.replicas[0], key)
	if again.MessageID != first.MessageID || !again.Replayed {
		t.Errorf("a retry: %+v, want turn %s", again, first.MessageID)
	}
	if got := send(t, b.replicas[0], other); got.Replayed {
		t.Error("the API replayed the playground's turn")
	}
}

func TestPlaygroundRefusals(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{Credits: -1})
	stranger := storetest.Seed(t, b.store, storetest.Options{})
	for name, c := range map[string]struct {
		of    storetest.Fixture
		agent uuid.UUID
		want  fault.Kind
	}{
		"no credits":              {f, f.Agent.ID, fault.InsufficientCredits},
		"another account's agent": {f, stranger.Agent.ID, fault.NotFound},
		"an unknown agent":        {f, uuid.New(), fault.NotFound},
		"no model":                {stranger, seedBare(t, b.store, stranger), fault.AgentNotReady},
	} {
		msg := newTestMessage(c.of, "s", "hello")
		msg.AgentID = c.agent
		if got, err := b.replicas[0].Send(t.Context(), msg); !fault.Is(err, c.want) ||
			got.FailedTurn != uuid.Nil {
			t.Errorf("%s: %+v %v, want %s", name, got, err, c.want)
		}
	}
	failing := newTestMessage(stranger, "s", "[[sandbox fail=timeout]]")
	if got, err := b.replicas[0].Send(t.Context(), failing); !fault.Is(err, fault.ModelTimeout) ||
		got.FailedTurn == uuid.Nil || got.FailedTurn != got.Turn {
		t.Errorf("a model's failure: %+v %v", got, err)
	}
}
