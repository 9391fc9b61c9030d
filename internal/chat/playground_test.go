package chat_test

import (
	"encoding/json"
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
	return chat.Message{Source: conversation.Playground, AccountID: f.Account.ID, AgentID: f.Agent.ID,
		Session: &session, Text: message, RequestID: uuid.NewString()}
}

// replyOf reads a turn.
func replyOf(t *testing.T, s *store.DB, id uuid.UUID) (state, source, reply string) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(),
		`SELECT state, source, coalesce(reply, '') FROM turns WHERE id = $1`, id).
		Scan(&state, &source, &reply)
	if err != nil {
		t.Fatal(err)
	}
	return state, source, reply
}

func TestPlaygroundIsTheSameEngine(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{Draft: true, Instructions: "Be kind."})
	s := b.replicas[0]
	if _, err := s.Send(t.Context(), newTestMessage(f, "s", "My name is Ada")); err != nil {
		t.Fatalf("a draft with a model: %v", err)
	}
	got, err := s.Send(t.Context(), newTestMessage(f, "s", "[[sandbox history]]"))
	if err != nil || got.Caller != nil {
		t.Fatalf("%+v %v", got, err)
	}
	state, source, reply := replyOf(t, b.store, got.Answer.MessageID)
	var context seen
	if err := json.Unmarshal([]byte(reply), &context); err != nil || len(context.Turns) != 3 ||
		context.Instructions != "Be kind." {
		t.Errorf("context %+v %v", context, err)
	}
	if state != "ANSWERED" || source != "PLAYGROUND" {
		t.Errorf("state %s, source %s", state, source)
	}
	if left, held := balance(t, b.store, f); left != 98 || held != 0 {
		t.Errorf("balance %d, held %d, want 98 and 0: the same price", left, held)
	}
	storetest.Audit(t, b.store)
}

// TestPlaygroundWithAnotherModel tests that it answers instead of the draft's model at its own
// price, also for a draft without a model.
func TestPlaygroundWithAnotherModel(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	bare, err := agents.On(b.store).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: "bare"})
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]uuid.UUID{"with a model": f.Agent.ID, "without one": bare.ID} {
		msg := newTestMessage(f, "s", "hello")
		msg.AgentID, msg.Model = id, "sandbox/free"
		got, err := b.replicas[0].Send(t.Context(), msg)
		if err != nil || got.Answer.Model != "sandbox/free" || got.Answer.Credits != 0 {
			t.Fatalf("a draft %s: %+v %v", name, got.Answer, err)
		}
		var model string
		if err := b.store.SQL().QueryRowContext(t.Context(), `SELECT model FROM turns WHERE id = $1`,
			got.Answer.MessageID).Scan(&model); err != nil ||
			model != "sandbox/free" {
			t.Errorf("a draft %s: stored is %s %v", name, model, err)
		}
	}
	msg := newTestMessage(f, "s", "hello")
	msg.Model = "sandbox/withdrawn"
	if _, err := b.replicas[0].Send(t.Context(), msg); !fault.Is(err, fault.AgentNotReady) {
		t.Errorf("a model that is not offered: %v", err)
	}
	api := newMessage(f, "s", "hello")
	api.Model = "sandbox/free"
	if got := send(t, b.replicas[0], api); got.Model != storetest.SandboxModel || got.Credits != 1 {
		t.Errorf("a caller chose the model: %+v", got)
	}
	storetest.Audit(t, b.store)
}

// TestPlaygroundHasItsOwnSessions: a session ID in the playground never continues a conversation of
// the API.
func TestPlaygroundHasItsOwnSessions(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	send(t, b.replicas[0], newMessage(f, "s", "through the API"))
	got, err := b.replicas[0].Send(t.Context(), newTestMessage(f, "s", "[[sandbox history]]"))
	if err != nil {
		t.Fatal(err)
	}
	var playground, api seen
	_, _, reply := replyOf(t, b.store, got.Answer.MessageID)
	if err := json.Unmarshal([]byte(reply), &playground); err != nil || len(playground.Turns) != 1 {
		t.Errorf("the playground saw %+v %v", playground, err)
	}
	answer := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox history]]"))
	if err := json.Unmarshal([]byte(answer.Reply), &api); err != nil || len(api.Turns) != 3 {
		t.Errorf("the API saw %+v %v", api, err)
	}
	key := newTestMessage(f, "s2", "hello")
	key.IdempotencyKey = "same"
	first, err := b.replicas[0].Send(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.replicas[0].Send(t.Context(), key)
	if err != nil || again.Answer.MessageID != first.Answer.MessageID || !again.Answer.Replayed {
		t.Errorf("a retry: %+v %v, want turn %s", again.Answer, err, first.Answer.MessageID)
	}
	other := newMessage(f, "s2", "hello")
	other.IdempotencyKey = "same"
	if got := send(t, b.replicas[0], other); got.Replayed {
		t.Error("the API replayed the playground's turn")
	}
	storetest.Audit(t, b.store)
}

func TestPlaygroundRefusals(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f, stranger := storetest.Seed(t, b.store, storetest.Options{Credits: -1}), storetest.Seed(t,
		b.store, storetest.Options{})
	bare, err := agents.On(b.store).CreateAgent(t.Context(), stranger.Account.ID, agent.Agent{Name: "bare"})
	if err != nil {
		t.Fatal(err)
	}
	foreign := newTestMessage(f, "s", "hello")
	foreign.AgentID = stranger.Agent.ID
	unknown := newTestMessage(f, "s", "hello")
	unknown.AgentID = uuid.New()
	noModel := newTestMessage(stranger, "s", "hello")
	noModel.AgentID = bare.ID
	for name, c := range map[string]struct {
		msg  chat.Message
		want fault.Kind
	}{
		"no credits": {newTestMessage(f, "s", "hello"),
			fault.InsufficientCredits}, "another account's agent": {foreign, fault.NotFound},
		"an unknown agent": {unknown, fault.NotFound}, "no model": {noModel, fault.AgentNotReady},
	} {
		if got, err := b.replicas[0].Send(t.Context(), c.msg); !fault.Is(err, c.want) || got.FailedTurn != uuid.Nil {
			t.Errorf("%s: %+v %v, want %s", name, got, err, c.want)
		}
	}
	failed, err := b.replicas[0].Send(t.Context(), newTestMessage(stranger, "s", "[[sandbox fail=timeout]]"))
	if !fault.Is(err, fault.ModelTimeout) || failed.FailedTurn == uuid.Nil {
		t.Fatalf("a model's failure: %+v %v", failed, err)
	}
	if state, _, _ := replyOf(t, b.store, failed.FailedTurn); state != "FAILED" {
		t.Errorf("state %s, want FAILED", state)
	}
	storetest.Audit(t, b.store)
}
