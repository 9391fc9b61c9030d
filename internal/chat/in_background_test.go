package chat_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// gatedModel is a model that answers as end does once the gate is open. It fails a call whose
// deadline is less than nine minutes away.
func gatedModel(gate <-chan struct{}, end answer) *scripted {
	return script(func(ctx context.Context) (llm.Reply, error) {
		if deadline, _ := ctx.Deadline(); time.Until(deadline) < 9*time.Minute {
			return llm.Reply{}, errors.New("too little time")
		}
		<-gate
		return end(ctx)
	})
}

func inBackground(f storetest.Fixture, key string) chat.Message {
	return chat.Message{
		Key:            f.Key.Hash(),
		Text:           "hello",
		IdempotencyKey: key,
		Background:     true,
		RequestID:      uuid.NewString(),
	}
}

// accepted sends a background message and checks that its turn is in progress.
func accepted(t *testing.T, s *chat.Service, msg chat.Message) *chat.BegunTurn {
	t.Helper()
	got, err := s.Send(t.Context(), msg)
	if err != nil || got.InProgress == nil || got.Answer != nil || got.Caller == nil {
		t.Fatalf("%+v %v, not a turn in progress", got, err)
	}
	return got.InProgress
}

// TestBackground tests that a message in the background occupies its session and the memory of its
// account until it ends, that every replica finds it, and that its reply is charged once.
func TestBackground(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	m := gatedModel(gate, says("Hello"))
	ends := make(chan chat.BackgroundEnd, 1)
	b := newSetup(t, 2, offering(m), func(c *chat.Config) {
		c.ObserveBackground = func(end chat.BackgroundEnd) { ends <- end }
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	s, budget := b.replicas[0], memory.Bytes(1<<20)
	msg := inBackground(f, "k")
	msg.Session, msg.Memory = new("s"), budget.Hold(f.Account.ID)
	if err := msg.Memory.Grow(1000); err != nil {
		t.Fatal(err)
	}
	first := accepted(t, s, msg)
	msg.Memory.Release() // as its request ends
	if first.Session != "s" || s.InFlight() != 1 || budget.Used() <= 1000 {
		t.Errorf("%+v, %d in flight, %d bytes", first, s.InFlight(), budget.Used())
	}
	for _, s := range b.replicas {
		msg.Memory = nil
		if poll := accepted(t, s, msg); poll.MessageID != first.MessageID || poll.Session != "s" {
			t.Errorf("a poll: %+v, at first %+v", poll, first)
		}
	}
	next := sendLater(t.Context(), s, newMessage(f, "s", "next"))
	eventually(t, func() bool { return s.Waiting() == 1 })
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM turns
		WHERE background AND deadline > created_at + interval '10 minutes'`); n != 1 {
		t.Errorf("%d turns are in the background", n)
	}
	close(gate)
	if end := <-ends; end != (chat.BackgroundEnd{Model: testModel, Credits: 1}) {
		t.Errorf("it ended as %+v", end)
	}
	eventually(t, func() bool { return budget.Used() == 0 })
	msg.Background = false
	for _, s := range b.replicas {
		if got := send(t, s, msg); !got.Replayed || got.MessageID != first.MessageID || got.Reply != "Hello" {
			t.Errorf("the reply: %+v", got)
		}
		msg.Background = true
	}
	if <-next; len(m.asked) != 2 {
		t.Errorf("%d model calls", len(m.asked))
	}
}

// TestBackgroundFails tests that every retry, in the background or not, gets the failure, unless
// the model or the service was unavailable: then the retry is a new attempt.
func TestBackgroundFails(t *testing.T) {
	t.Parallel()
	for kind, calls := range map[fault.Kind]int{fault.ModelError: 1, fault.ContentBlocked: 1, fault.ModelUnavailable: 2} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			close(gate)
			m := gatedModel(gate, fails(byProvider(kind)))
			b := newSetup(t, 2, offering(m))
			f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
			msg := inBackground(f, "k")
			accepted(t, b.replicas[0], msg)
			pending(t, b.store, 0)
			if calls == 2 {
				accepted(t, b.replicas[0], msg)
				pending(t, b.store, 0)
			} else {
				wantFault(t, b.replicas[0], msg, kind)
				wantFault(t, b.replicas[1], msg, kind) // which does not know the account yet
				msg.Background = false
				wantFault(t, b.replicas[0], msg, kind)
			}
			if len(m.asked) != calls {
				t.Errorf("%d model calls, want %d", len(m.asked), calls)
			}
			wantCredits(t, b.store, f, 100)
		})
	}
}

// TestBackgroundIsRefusedBeforeItIsAccepted tests that a message is not accepted if it is refused
// after its turn began, before a model was called.
func TestBackgroundIsRefusedBeforeItIsAccepted(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	msg := inBackground(f, "k")
	msg.Memory = memory.Bytes(1).Hold(f.Account.ID)
	wantFault(t, b.replicas[0], msg, fault.Unavailable)
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM turns`); n != 0 {
		t.Errorf("it left %d turns", n)
	}
}

// TestBackgroundSlots tests the limit of an account: a message above it gets 429, and polls of the
// accepted messages still find them, also in a session.
func TestBackgroundSlots(t *testing.T) {
	t.Parallel()
	const most = 64
	gate := make(chan struct{})
	b := newSetup(t, 1, offering(gatedModel(gate, says("Hello"))))
	s := b.replicas[0]
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, Credits: 100, RatePerMinute: 1000})
	other := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	for i := range most {
		accepted(t, s, inBackground(f, fmt.Sprint(i)))
	}
	_, err := s.Send(t.Context(), inBackground(f, "one more"))
	if full, _ := errors.AsType[*fault.Error](err); !fault.Is(err, fault.RateLimited) || full.RetryAfter != 5*time.Second {
		t.Errorf("one more: %v", err)
	}
	for i := range most {
		accepted(t, s, inBackground(f, fmt.Sprint(i)))
	}
	accepted(t, s, inBackground(other, "k"))
	close(gate)
	pending(t, b.store, 0)
	eventually(t, func() bool { return s.InFlight() == 0 })
	accepted(t, s, inBackground(f, "one more"))
}
