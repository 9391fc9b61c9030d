package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
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
}

func newSetup(t *testing.T, replicas int, change func(*chat.Config)) *setup {
	t.Helper()
	b := &setup{store: storetest.New(t)}
	for i := range replicas {
		b.stores = append(b.stores, b.store)
		if i > 0 {
			b.stores[i] = storetest.Replica(t, b.store)
		}
		cfg := chat.Config{Store: b.stores[i], Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)}
		if change != nil {
			change(&cfg)
		}
		b.replicas = append(b.replicas, chat.New(cfg))
		storetest.Ends(t, b.store, b.replicas[i].Wait)
	}
	return b
}

func sandboxOnly(more ...catalogue.Entry) *catalogue.Live {
	return catalogue.NewLive(catalogue.New(append([]catalogue.Entry{
		{Name: storetest.SandboxModel, Provider: "sandbox", CreditsPerMessage: 1, ContextWindow: 32768, Sandbox: true,
			Model: sandbox.New()},
		{Name: "sandbox/free", Provider: "sandbox", ContextWindow: 32768, Sandbox: true, Model: sandbox.New()},
	}, more...)))
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
	if got.Caller == nil || got.Answer == nil {
		t.Fatalf("no error, but no caller or no answer: %+v", got)
	}
	return got.Answer
}

func balance(t *testing.T, s *store.DB, f storetest.Fixture) (balance, held int64) {
	t.Helper()
	a, err := accounts.On(s).Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

// seen is the context that the model was given, as the sandbox's history directive returns it.
type seen struct {
	Instructions string `json:"instructions"`
	Turns        []struct{ Role, Text string }
}

func TestSessionRemembers(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	f := storetest.Seed(t, b.store, storetest.Options{Instructions: "Be kind."})
	first := send(t, b.replicas[0], newMessage(f, "order-42", "My name is Ada"))
	if first.CreditsRemaining != 99 || first.Credits != 1 || first.FinishReason != llm.FinishStop ||
		first.Session != "order-42" {
		t.Errorf("first answer: %+v", first)
	}
	var got seen
	answer := send(t, b.replicas[1], newMessage(f, "order-42", "[[sandbox history]]"))
	if err := json.Unmarshal([]byte(answer.Reply), &got); err != nil {
		t.Fatal(err)
	}
	if got.Instructions != "Be kind." || len(got.Turns) != 3 ||
		got.Turns[0].Text != "My name is Ada" || got.Turns[1].Text != first.Reply {
		t.Errorf("context: %+v", got)
	}
	fresh := send(t, b.replicas[1], newMessage(f, "order-43", "[[sandbox history]]"))
	if err := json.Unmarshal([]byte(fresh.Reply), &got); err != nil || len(got.Turns) != 1 {
		t.Errorf("a new session starts fresh: %+v %v", got, err)
	}
	storetest.Audit(t, b.store)
}

func TestNewConversationWithoutSession(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	msg := newMessage(f, "", "hello")
	msg.Session = nil
	one, two := send(t, b.replicas[0], msg), send(t, b.replicas[0], msg)
	if one.Session == "" || one.Session == two.Session {
		t.Errorf("session IDs %q and %q: want two different ones", one.Session, two.Session)
	}
	again := send(t, b.replicas[0], newMessage(f, one.Session, "[[sandbox history]]"))
	var got seen
	if err := json.Unmarshal([]byte(again.Reply), &got); err != nil || len(got.Turns) != 3 {
		t.Errorf("the returned session ID does not continue the conversation: %+v %v", got, err)
	}
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
	const price, workers = 1, 32
	granted, requests := int64(40), 300
	b := newSetup(t, 2, nil)
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
		want := map[string]int{"answered": int(granted), string(fault.InsufficientCredits): requests - int(granted)}
		if fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("round %d: %v, want %v", round, counts, want)
		}
		if left, held := balance(t, b.store, f); left != 0 || held != 0 {
			t.Errorf("round %d: balance %d, held %d, want 0 and 0", round, left, held)
		}
		storetest.Audit(t, b.store)
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

// echo is a model that replies with all messages of its context, so that a reply shows what its
// turn saw.
type echo struct{}

func (echo) Generate(_ context.Context, req llm.Request, _ func(string) error) (llm.Reply, error) {
	words := make([]string, 0, len(req.History)+1)
	for _, turn := range req.History {
		words = append(words, turn.User)
	}
	return llm.Reply{Text: strings.Join(append(words, req.Message), " "), Finish: llm.FinishStop}, nil
}

// TestOrder sends messages of one session at once through two replicas: each sees exactly those
// answered before it.
func TestOrder(t *testing.T) {
	t.Parallel()
	const messages = 40
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/echo", CreditsPerMessage: 1, Model: echo{}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/echo"})
	replies := make([][]string, messages)
	counts := parallel(t, messages, messages, func(i int) string {
		got, err := b.replicas[i%2].Send(t.Context(), newMessage(f, "one", fmt.Sprint("m", i)))
		if err == nil {
			replies[i] = strings.Fields(got.Answer.Reply)
		}
		return fmt.Sprint(err)
	})
	if counts["<nil>"] != messages {
		t.Fatalf("outcomes: %v", counts)
	}
	slices.SortFunc(replies, func(a, b []string) int { return len(a) - len(b) })
	for i, reply := range replies {
		if len(reply) != i+1 || i > 0 && !slices.Equal(reply[:i], replies[i-1]) {
			t.Fatalf("turn %d saw %v after %v", i+1, reply, replies[max(i-1, 0)])
		}
	}
	storetest.Audit(t, b.store)
}

// TestArrivalOrder sends messages one by one while the first is being answered: one replica keeps
// their order.
func TestArrivalOrder(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/gated", CreditsPerMessage: 1, Model: gated{gate}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/gated"})
	const messages = 20
	replies := make([]string, messages)
	var work sync.WaitGroup
	for i := range messages {
		work.Go(func() {
			got, err := b.replicas[0].Send(t.Context(), newMessage(f, "one", fmt.Sprint("m", i)))
			if err != nil {
				t.Errorf("message %d: %v", i, err)
				return
			}
			replies[i] = got.Answer.Reply
		})
		eventually(t, func() bool { return b.replicas[0].InFlight() == int64(i+1) && b.replicas[0].Waiting() == i })
	}
	close(gate)
	work.Wait()
	for i, reply := range replies {
		if got := len(strings.Fields(reply)); got != i+1 {
			t.Errorf("message %d was answered as number %d", i, got)
		}
	}
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
	b := newSetup(t, 2, nil)
	f := storetest.Seed(t, b.store, storetest.Options{Credits: 1000})
	const keys, each = 20, 10
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
		delete(counts, string(fault.RequestInProgress))
		if len(counts) != 1 {
			t.Errorf("key %d: %v, want 1 message", k, counts)
		}
	}
	if left, held := balance(t, b.store, f); left != 1000-keys || held != 0 {
		t.Errorf("balance %d, held %d, want %d and 0", left, held, 1000-keys)
	}
	storetest.Audit(t, b.store)
}

// TestModelFailures: every failure of a model has its kind, costs nothing and leaves no hold.
func TestModelFailures(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	for directive, want := range map[string]fault.Kind{
		"fail=error": fault.ModelError, "fail=unavailable": fault.ModelUnavailable, "fail=timeout": fault.ModelTimeout,
		"fail=blocked": fault.ContentBlocked, "fail=garbage": fault.ModelError, "fail=panic": fault.Internal,
		"fail=insufficient_credits": fault.InsufficientCredits, "fail=rate_limited": fault.RateLimited,
		"fail=session_busy": fault.SessionBusy, "fail=internal": fault.Internal, "fail=error after=20": fault.ModelError,
	} {
		_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "[[sandbox "+directive+"]]"))
		if fault.KindOf(err) != want || err == nil {
			t.Errorf("%s: got %v, want %s", directive, err, want)
		}
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("balance %d, held %d, want 100 and 0", left, held)
	}
	answer := send(t, b.replicas[0], newMessage(f, "s", "[[sandbox tokens=-1:9223372036854775807]]"))
	if answer.Credits != 1 || answer.CreditsRemaining != 99 || answer.InputTokens != nil ||
		answer.OutputTokens != nil {
		t.Errorf("implausible token counts: %+v", answer)
	}
	storetest.Audit(t, b.store)
}
