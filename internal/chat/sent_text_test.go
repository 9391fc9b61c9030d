package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// twoParts is a model that sends the first part of its reply when before is closed, and the second
// when between is. It ends when after is closed.
type twoParts struct{ before, between, after chan struct{} }

func (m twoParts) Generate(ctx context.Context, _ llm.Request, emit func(string) error) (llm.Reply, error) {
	for _, step := range []struct {
		gate chan struct{}
		text string
	}{{m.before, "one "}, {m.between, "two"}, {m.after, ""}} {
		select {
		case <-step.gate:
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
		if err := emit(step.text); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Text: "one two"}, nil
}

// deletions are the three ways in which an owner deletes a conversation.
var deletions = map[string]func(*testing.T, *store.DB, storetest.Fixture){
	"conversation": deleteConversations,
	"agent": func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
			t.Error(err)
		}
	},
	"account": func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		if err := erasure.On(s).DeleteAccount(t.Context(), f.Account.ID, f.Account.OwnerID, "none",
			audit.Entry{Actor: audit.ByUser}); err != nil {
			t.Error(err)
		}
	},
}

// sentTurn is a streamed turn of a model in two parts on the first of two replicas.
type sentTurn struct {
	*setup
	f      storetest.Fixture
	model  twoParts
	stream *listener
	msg    chat.Message
	done   chan error
}

func newSentTurn(t *testing.T) *sentTurn {
	t.Helper()
	m := twoParts{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/two-parts", CreditsPerMessage: 1, Model: m})
	})
	s := &sentTurn{setup: b, f: storetest.Seed(t, b.store, storetest.Options{Model: "test/two-parts"}), model: m,
		stream: newListener(), done: make(chan error, 1)}
	s.msg = newMessage(s.f, "s", "hello")
	s.msg.Stream, s.msg.IdempotencyKey = s.stream, "k"
	return s
}

func (s *sentTurn) start(t *testing.T) {
	t.Helper()
	go func() { _, err := s.replicas[0].Send(t.Context(), s.msg); s.done <- err }()
	pending(t, s.store, 1)
}

// check compares what is left of the turn: its charge with the names of agent and export, and no
// text.
func (s *sentTurn) check(t *testing.T, charged int64) {
	t.Helper()
	if left, held := balance(t, s.store, s.f); left != 100-charged || held != 0 {
		t.Errorf("balance %d, held %d, want %d and 0", left, held, 100-charged)
	}
	var charges int64
	err := s.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM credit_entries
		WHERE kind = 'CHARGE' AND agent_name = $1 AND export_name = $2`, s.f.Agent.Name, s.f.Export.Name).Scan(&charges)
	if err != nil || charges != charged {
		t.Errorf("%d charges with the names of agent and export, want %d: %v", charges, charged, err)
	}
	var texts int
	err = s.store.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM turns WHERE message <> '' OR reply IS NOT NULL`).Scan(&texts)
	if err != nil || texts != 0 {
		t.Errorf("%d turns with text are left: %v", texts, err)
	}
	storetest.Audit(t, s.store)
}

// expectWhole checks that the stream came whole, and was charged.
func (s *sentTurn) expectWhole(t *testing.T) {
	t.Helper()
	if err := <-s.done; err != nil {
		t.Errorf("the stream: %v", err)
	}
	if _, text := s.stream.received(); text != "one two" {
		t.Errorf("streamed %q", text)
	}
	s.check(t, 1)
}

// TestTimeoutAfterTheFirstText: a stream that outlasts the model timeout ends normally, is stored
// as sent and charged; without text, or for a caller who waits for the whole reply, the turn fails
// and is free.
func TestTimeoutAfterTheFirstText(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, func(c *chat.Config) { c.ModelTimeout = 300 * time.Millisecond })
	f := storetest.Seed(t, b.store, storetest.Options{})
	for _, c := range []struct {
		message  string
		streamed bool
	}{{"[[sandbox words=1000 pace=20ms]]", false}, {"[[sandbox delay=5m]]", true}} {
		msg := newMessage(f, "s", c.message)
		if c.streamed {
			msg.Stream = newListener()
		}
		if _, err := b.replicas[0].Send(t.Context(), msg); !fault.Is(err, fault.ModelTimeout) {
			t.Errorf("%s: %v, want model_timeout", c.message, err)
		}
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("without text: balance %d, held %d", left, held)
	}
	msg := newMessage(f, "s", "[[sandbox words=1000 pace=20ms]]")
	l := newListener()
	msg.Stream, msg.IdempotencyKey = l, "k"
	answer := send(t, b.replicas[0], msg)
	state, _, reply := replyOf(t, b.store, answer.MessageID)
	if _, text := l.received(); text == "" || text != answer.Reply || text != reply || state != "ANSWERED" ||
		answer.FinishReason != chat.FinishTimeout || answer.CreditsRemaining != 99 {
		t.Errorf("streamed %q, answered %+v, stored %s %q", text, answer, state, reply)
	}
	if replay := send(t, b.replicas[0], msg); !replay.Replayed || replay.Reply != reply ||
		replay.FinishReason != chat.FinishTimeout {
		t.Errorf("a replay: %+v", replay)
	}
	storetest.Audit(t, b.store)
}

// TestBlockedAfterTheFirstText tests a reply whose rest the safety rules refuse. The sent text is
// the reply, for the caller and each retry, and the conversation continues without the turn.
func TestBlockedAfterTheFirstText(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	for i, stream := range []*listener{newListener(), nil} {
		msg := newMessage(f, "s", "[[sandbox fail=blocked after=3]]")
		msg.IdempotencyKey = fmt.Sprint(i)
		if stream != nil {
			msg.Stream = stream
		}
		answer := send(t, b.replicas[0], msg)
		if len(strings.Fields(answer.Reply)) != 3 || answer.FinishReason != llm.FinishBlocked ||
			answer.CreditsRemaining != int64(99-i) {
			t.Errorf("answered %+v", answer)
		}
		if stream != nil {
			if _, text := stream.received(); text != answer.Reply {
				t.Errorf("streamed %q, answered %q", text, answer.Reply)
			}
		}
		again := send(t, b.replicas[0], msg)
		if again.Reply != answer.Reply || again.FinishReason != llm.FinishBlocked || !again.Replayed {
			t.Errorf("a retry: %+v", again)
		}
	}
	next := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox history]]"))
	var history seen
	if err := json.Unmarshal([]byte(next.Reply), &history); err != nil || len(history.Turns) != 1 {
		t.Errorf("the next message saw %+v, want itself alone: %v", history, err)
	}
	if _, err := b.replicas[0].Send(t.Context(),
		newMessage(f, "s", "[[sandbox fail=blocked]]")); !fault.Is(err, fault.ContentBlocked) {
		t.Errorf("without text: %v", err)
	}
	if left, held := balance(t, b.store, f); left != 97 || held != 0 {
		t.Errorf("balance %d, held %d, want 97 and 0", left, held)
	}
	storetest.Audit(t, b.store)
}

// tooLong is a model whose reply grows over the limit of its adapter after some text.
type tooLong struct{}

func (tooLong) Generate(_ context.Context, _ llm.Request, emit func(string) error) (llm.Reply, error) {
	if err := emit("a long reply"); err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{}, fault.Wrap(fault.ModelError, llm.ErrTooLong)
}

// TestTooLongAfterTheFirstText tests that a reply over the limit ends there and is charged once
// text was sent, so that it is never free.
func TestTooLongAfterTheFirstText(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/too-long", CreditsPerMessage: 1, Model: tooLong{}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/too-long"})
	if _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello")); !fault.Is(err, fault.ModelError) {
		t.Errorf("a whole reply: %v, want model_error", err)
	}
	msg := newMessage(f, "s", "hello")
	msg.Stream = newListener()
	answer := send(t, b.replicas[0], msg)
	if answer.Reply != "a long reply" || answer.FinishReason != llm.FinishLength || answer.CreditsRemaining != 99 {
		t.Errorf("streamed: %+v", answer)
	}
	storetest.Audit(t, b.store)
}
