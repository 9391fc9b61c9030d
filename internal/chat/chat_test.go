package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// setup is one database with replicas of the service on it.
type setup struct {
	// store is that of the first replica.
	store *store.DB
	// stores are the stores of the replicas.
	stores   []*store.DB
	replicas []*chat.Service
	// unaudited is set for a ledger that has turns without their charges.
	unaudited bool
}

// newSetup starts replicas of the service. When the test ends, its ledger is audited.
func newSetup(t *testing.T, replicas int, changes ...func(*chat.Config)) *setup {
	t.Helper()
	b := &setup{store: storetest.New(t)}
	t.Cleanup(func() {
		if !b.unaudited {
			storetest.Audit(ended{t}, b.store)
		}
	})
	for i := range replicas {
		b.stores = append(b.stores, b.store)
		if i > 0 {
			b.stores[i] = storetest.Replica(t, b.store)
		}
		cfg := chat.Config{
			Store:     b.stores[i],
			Catalogue: sandboxOnly(),
			Logger:    slog.New(slog.DiscardHandler),
		}
		for _, change := range changes {
			change(&cfg)
		}
		b.replicas = append(b.replicas, chat.New(cfg))
		storetest.Ends(t, b.store, b.replicas[i].Wait)
	}
	return b
}

// ended is a test whose own context is over: its cleanups run.
type ended struct{ testing.TB }

func (ended) Context() context.Context { return context.Background() }

func sandboxOnly(more ...catalogue.Entry) *catalogue.Live {
	return catalogue.NewLive(catalogue.New(append([]catalogue.Entry{
		{
			Name:              storetest.SandboxModel,
			Provider:          "sandbox",
			CreditsPerMessage: 1,
			Cost:              &catalogue.Cost{},
			ContextWindow:     32768,
			Sandbox:           true,
			Model:             sandbox.New(),
		},
		{Name: "sandbox/free", Provider: "sandbox", ContextWindow: 32768, Sandbox: true,
			Model: sandbox.New()},
	}, more...)))
}

// testModel is the name of the model that offering adds.
const testModel = "test/model"

// offering adds a model, which costs a credit.
func offering(m llm.Model) func(*chat.Config) {
	return func(c *chat.Config) {
		c.Catalogue = sandboxOnly(
			catalogue.Entry{Name: testModel, CreditsPerMessage: 1, ContextWindow: 100_000, Model: m})
	}
}

func newMessage(f storetest.Fixture, session, message string) chat.Message {
	return chat.Message{Key: f.Key.Hash(), Session: &session, Text: message, RequestID: uuid.NewString()}
}

func send(t *testing.T, s *chat.Service, msg chat.Message) *chat.Answer {
	t.Helper()
	got, err := s.Send(t.Context(), msg)
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	if got.Answer == nil || (got.Caller == nil) != (msg.Source == conversation.Playground) {
		t.Fatalf("no answer, or not the caller: %+v", got)
	}
	return got.Answer
}

// sendLater sends a message in the background.
func sendLater(ctx context.Context, s *chat.Service, msg chat.Message) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := s.Send(ctx, msg)
		done <- err
	}()
	return done
}

// wantFault sends a message that is refused.
func wantFault(t *testing.T, s *chat.Service, msg chat.Message, want fault.Kind) fault.Error {
	t.Helper()
	_, err := s.Send(t.Context(), msg)
	refused, ok := errors.AsType[*fault.Error](err)
	if !ok || refused.Kind != want {
		t.Fatalf("%q: %v, want %s", msg.Text, err, want)
	}
	return *refused
}

// wantCredits checks an account's balance, and that none of it is held.
func wantCredits(t *testing.T, s *store.DB, f storetest.Fixture, want int64) {
	t.Helper()
	if left, held := storetest.Credits(t, s, f.Account.ID); left != want || held != 0 {
		t.Errorf("balance %d, held %d, want %d and 0", left, held, want)
	}
}

// seen is the context that the model was given, as the sandbox's history directive returns it.
type seen struct {
	Instructions string `json:"instructions"`
	Turns        []struct{ Role, Text string }
}

// contextSeen sends a message whose reply is the context that the model was given.
func contextSeen(t *testing.T, s *chat.Service, msg chat.Message) (got seen) {
	t.Helper()
	msg.Text = "[[sandbox history]]"
	if err := json.Unmarshal([]byte(send(t, s, msg).Reply), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// wantSeen compares the earlier messages in the context of a message.
func wantSeen(t *testing.T, what string, s *chat.Service, msg chat.Message, want ...string) {
	t.Helper()
	var messages []string
	for _, turn := range contextSeen(t, s, msg).Turns {
		if turn.Role == "user" {
			messages = append(messages, turn.Text)
		}
	}
	if messages = messages[:len(messages)-1]; !slices.Equal(messages, want) {
		t.Errorf("%s: the model was given %q, want %q", what, messages, want)
	}
}

func TestSessionRemembers(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{Instructions: "Be kind."})
	first := send(t, b.replicas[0], newMessage(f, "order-42", "My name is Ada"))
	if first.CreditsRemaining != 99 || first.Credits != 1 || first.FinishReason != llm.FinishStop ||
		first.Session != "order-42" {
		t.Errorf("first answer: %+v", first)
	}
	got := contextSeen(t, b.replicas[1], newMessage(f, "order-42", ""))
	if got.Instructions != "Be kind." || len(got.Turns) != 3 ||
		got.Turns[0].Text != "My name is Ada" || got.Turns[1].Text != first.Reply {
		t.Errorf("context: %+v", got)
	}
	wantSeen(t, "a new session", b.replicas[1], newMessage(f, "order-43", ""))
}

func TestNewConversationWithoutSession(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	msg := newMessage(f, "", "hello")
	msg.Session = nil
	one, two := send(t, b.replicas[0], msg), send(t, b.replicas[0], msg)
	if one.Session == "" || one.Session == two.Session {
		t.Errorf("session IDs %q and %q: want two different ones", one.Session, two.Session)
	}
	wantSeen(t, "the returned session ID", b.replicas[0], newMessage(f, one.Session, ""), "hello")
	msg.IdempotencyKey = "once"
	first, replay := send(t, b.replicas[0], msg), send(t, b.replicas[0], msg)
	if !replay.Replayed || replay.Session != first.Session || replay.MessageID != first.MessageID {
		t.Errorf("a retry without a session: %+v, then %+v", first, replay)
	}
}

// TestCreditsAreExact sends many more messages than the account has credits, from many workers
// through two replicas, both to the API and in the playground.
func TestCreditsAreExact(t *testing.T) {
	t.Parallel()
	const workers, granted, requests = 32, 40, 300
	b := newSetup(t, 2)
	for round := range 3 {
		f := storetest.Seed(t, b.store, storetest.Options{Credits: granted})
		counts := parallel(t, workers, requests, func(i int) string {
			msg := newMessage(f, uuid.NewString(), "hello")
			if i%3 == 0 {
				msg = newTestMessage(f, uuid.NewString(), "hello")
			}
			if _, err := b.replicas[i%2].Send(t.Context(), msg); err != nil {
				return string(fault.KindOf(err))
			}
			return "answered"
		})
		want := map[string]int{"answered": granted, string(fault.InsufficientCredits): requests - granted}
		if fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("round %d: %v, want %v", round, counts, want)
		}
		wantCredits(t, b.store, f, 0)
	}
}

// parallel runs n calls on a number of workers and counts what they return.
func parallel(t *testing.T, workers, n int, call func(i int) string) map[string]int {
	t.Helper()
	jobs := make(chan int)
	var mu sync.Mutex
	counts := map[string]int{}
	var work sync.WaitGroup
	for range workers {
		work.Go(func() {
			for i := range jobs {
				outcome := call(i)
				mu.Lock()
				counts[outcome]++
				mu.Unlock()
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	work.Wait()
	return counts
}

// gated is echo that waits until its channel is closed.
type gated struct{ open chan struct{} }

func (m gated) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	select {
	case <-m.open:
		return echo{}.Generate(ctx, req, emit)
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	}
}

// eventually polls a condition that nothing signals.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for pause := time.Millisecond; !holds(); pause = min(2*pause, 32*time.Millisecond) {
		select {
		case <-time.After(pause):
		case <-deadline:
			t.Fatal("the condition did not hold within 30 s")
		}
	}
}

func TestOneIdempotencyKeyAtOnce(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{Credits: 1000})
	const keys, each = 20, 8 // 4 of them join on the other replica
	for k := range keys {
		msg := newMessage(f, "", "hello [[sandbox words=3]]")
		msg.Session = nil
		msg.IdempotencyKey = fmt.Sprint("key-", k)
		counts := parallel(t, each, each, func(i int) string {
			got, err := b.replicas[i%2].Send(t.Context(), msg)
			if err != nil {
				return string(fault.KindOf(err))
			}
			return got.Answer.MessageID.String()
		})
		if len(counts) != 1 || counts[string(fault.RequestInProgress)] > 0 {
			t.Errorf("key %d: %v, want 1 message", k, counts)
		}
	}
	wantCredits(t, b.store, f, 1000-keys)
	const pairs = 200
	answers := make([]string, 2*pairs)
	parallel(t, 64, 2*pairs, func(i int) string {
		msg := newMessage(f, "", "hello")
		msg.Session, msg.IdempotencyKey = nil, fmt.Sprint("pair-", i/2)
		got, err := b.replicas[0].Send(t.Context(), msg)
		if answers[i] = fmt.Sprint(err); err == nil {
			answers[i] = got.Answer.MessageID.String()
		}
		return ""
	})
	for i := 0; i < 2*pairs; i += 2 {
		if answers[i] != answers[i+1] || uuid.Validate(answers[i]) != nil {
			t.Errorf("a pair got %s and %s", answers[i], answers[i+1])
		}
	}
	wantCredits(t, b.store, f, 1000-keys-pairs)
}
