package chat_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// sent holds the results of Send.
type sent struct {
	chat.Result
	err error
}

// joinSetup has a message with an idempotency key. The first of two replicas answers its turn once
// the gate is open.
type joinSetup struct {
	*setup
	f     storetest.Fixture
	msg   chat.Message
	first <-chan sent
	model *scripted
	gate  chan struct{}
}

func newJoinSetup(
	t *testing.T, msg chat.Message, end answer, changes ...func(*chat.Config),
) *joinSetup {
	t.Helper()
	gate := make(chan struct{})
	m := script(func(ctx context.Context) (llm.Reply, error) {
		select {
		case <-gate:
			return end(ctx)
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
	})
	b := newSetup(t, 2, append(changes, offering(m))...)
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	msg.Text, msg.IdempotencyKey, msg.Session, msg.RequestID = "hello", "k", new("s"), uuid.NewString()
	if msg.Source == "" {
		msg.Key = f.Key.Hash()
	} else {
		msg.AccountID, msg.AgentID = f.Account.ID, f.Agent.ID
	}
	j := &joinSetup{setup: b, f: f, msg: msg, model: m, gate: gate}
	j.first = sending(t, b.replicas[0], msg)
	pending(t, b.store, 1)
	return j
}

func sending(t *testing.T, s *chat.Service, msg chat.Message) <-chan sent {
	t.Helper()
	done := make(chan sent, 1)
	go func() {
		got, err := s.Send(t.Context(), msg)
		done <- sent{got, err}
	}()
	return done
}

// join sends the message again n times to a replica, and returns when all wait.
func (j *joinSetup) join(t *testing.T, replica, n int) (joined []<-chan sent) {
	t.Helper()
	for range n {
		joined = append(joined, sending(t, j.replicas[replica], j.msg))
	}
	eventually(t, func() bool { return j.replicas[replica].Joined() == n })
	return joined
}

// wantRetry checks the fault of a request that is not answered, and its Retry-After.
func wantRetry(t *testing.T, what string, got sent, kind fault.Kind, after time.Duration) {
	t.Helper()
	f, _ := errors.AsType[*fault.Error](got.err)
	if !fault.Is(got.err, kind) || f.RetryAfter != after || f.Details != nil || got.Answer != nil {
		t.Errorf("%s: %+v, %v; want %s after %v", what, got.Answer, got.err, kind, after)
	}
}

// TestRetriesJoin tests that a retry gets the reply of the turn in flight, on any replica, from
// both APIs and as a stream, for one model call and one charge. It leaves its session's queue.
func TestRetriesJoin(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]chat.Message{
		"API": {}, "playground": {Source: "PLAYGROUND"}, "stream": {Stream: newListener()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJoinSetup(t, msg, says("Hello"))
			streams := []*listener{newListener(), newListener()}
			var joined []<-chan sent
			for replica, l := range streams {
				if msg.Stream != nil {
					j.msg.Stream = l
				}
				joined = append(joined, j.join(t, replica, 1)...)
			}
			if n := j.replicas[0].Waiting(); n != 0 {
				t.Errorf("%d requests wait in the session's queue", n)
			}
			next := sending(t, j.replicas[0], newMessage(j.f, "s", "next"))
			close(j.gate)
			first := <-j.first
			for i, done := range joined {
				got := <-done
				if got.err != nil || !got.Answer.Replayed || got.Answer.Reply != "Hello" ||
					got.Answer.MessageID != first.Turn || (got.Caller == nil) != (msg.Source != "") {
					t.Errorf("replica %d: %+v %v, not the reply of %s", i, got.Answer, got.err, first.Turn)
				}
				if l := streams[i]; msg.Stream != nil && (len(l.begun) != 1 ||
					!l.begun[0].Joined || l.begun[0].MessageID != first.Turn || l.begun[0].Session != "s") {
					t.Errorf("replica %d: begun %+v", i, l.begun)
				}
			}
			if got := <-next; got.err != nil || len(j.model.asked) != 2 {
				t.Errorf("the next message: %v, after %d model calls", got.err, len(j.model.asked))
			}
			wantCredits(t, j.store, j.f, 98)
		})
	}
}

// TestJoinedTurnFails tests that joined requests get the code of the turn, without its details, and
// that the next retry is a new attempt.
func TestJoinedTurnFails(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]chat.Message{"API": {}, "playground": {Source: "PLAYGROUND"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJoinSetup(t, msg, fails(&fault.Error{Kind: fault.ModelTimeout,
				Details: map[string]any{"reason": "x"}}))
			joined := append(j.join(t, 0, 1), j.join(t, 1, 2)...)
			close(j.gate)
			first := <-j.first
			for _, done := range joined {
				got := <-done
				wantRetry(t, "joined", got, fault.ModelTimeout, time.Second)
				if shown := got.FailedTurn == first.FailedTurn; shown != (msg.Source != "") {
					t.Errorf("the failed turn is %v", got.FailedTurn)
				}
			}
			if n := len(j.model.asked); n != 1 {
				t.Errorf("%d model calls", n)
			}
			wantFault(t, j.replicas[1], j.msg, fault.ModelTimeout)
			if n := len(j.model.asked); n != 2 {
				t.Errorf("%d model calls after a retry", n)
			}
		})
	}
}

// TestJoinedTurnIsWithdrawn tests that a request whose turn was withdrawn can try again.
func TestJoinedTurnIsWithdrawn(t *testing.T) {
	t.Parallel()
	j := newJoinSetup(t, chat.Message{}, fails(llm.ErrThrottled))
	joined := append(j.join(t, 0, 1), j.join(t, 1, 1)...)
	close(j.gate)
	<-j.first
	for _, done := range joined {
		wantRetry(t, "joined", <-done, fault.Unavailable, time.Second)
	}
}

// TestJoinedKeyIsCheckedAgain tests that a request gets no reply if its key or conversation is
// removed while it waits.
func TestJoinedKeyIsCheckedAgain(t *testing.T) {
	t.Parallel()
	for want, change := range map[fault.Kind]func(*testing.T, *store.DB, storetest.Fixture){
		fault.Unauthorized: func(t *testing.T, s *store.DB, f storetest.Fixture) {
			t.Helper()
			_, err := exports.On(s).RemoveExport(t.Context(), f.Account.ID, f.Export.ID)
			if err != nil {
				t.Error(err)
			}
		},
		fault.AccountSuspended:    storetest.Suspend,
		fault.ConversationDeleted: deleteConversation,
	} {
		t.Run(string(want), func(t *testing.T) {
			t.Parallel()
			j := newJoinSetup(t, chat.Message{}, says("Hello"))
			joined := append(j.join(t, 0, 1), j.join(t, 1, 1)...)
			change(t, j.store, j.f)
			close(j.gate)
			<-j.first
			for _, done := range joined {
				if got := <-done; !fault.Is(got.err, want) {
					t.Errorf("%+v %v", got.Answer, got.err)
				}
			}
		})
	}
}

// TestJoinedRequestsAreLimited tests the bound for a turn, and the end of the wait.
func TestJoinedRequestsAreLimited(t *testing.T) {
	t.Parallel()
	replicas := 0
	j := newJoinSetup(t, chat.Message{}, says("Hello"), func(c *chat.Config) {
		if replicas++; replicas == 2 {
			c.SessionWait, c.ModelTimeout = time.Second, time.Second
		}
	})
	joined := append(j.join(t, 0, 4), j.join(t, 1, 4)...)
	for _, s := range j.replicas {
		wantRetry(t, "the fifth", <-sending(t, s, j.msg), fault.RequestInProgress, 5*time.Second)
	}
	for _, done := range joined[4:] {
		wantRetry(t, "after its wait", <-done, fault.RequestInProgress, 5*time.Second)
	}
	close(j.gate)
	for _, done := range append(joined[:4], j.first) {
		if got := <-done; got.err != nil {
			t.Error(got.err)
		}
	}
}

// TestDrainEndsJoinedWaits tests that a drain makes joined requests retry, and finishes turns.
func TestDrainEndsJoinedWaits(t *testing.T) {
	t.Parallel()
	j := newJoinSetup(t, chat.Message{}, says("Hello"))
	for i, s := range j.replicas {
		waits := j.join(t, i, 1)[0]
		s.Drain()
		for _, done := range []<-chan sent{waits, sending(t, s, j.msg)} {
			got := <-done
			wantRetry(t, "during a drain", got, fault.RequestInProgress, time.Second)
			if !errors.Is(got.err, chat.ErrDraining) {
				t.Error(got.err)
			}
		}
	}
	close(j.gate)
	if first := <-j.first; first.err != nil {
		t.Error(first.err)
	}
}

// TestRetryBehindItsFirstRequest tests a retry that waits for its session along with its first
// request: when its wait ends, it joins that request's turn.
func TestRetryBehindItsFirstRequest(t *testing.T) {
	t.Parallel()
	brief := func(c *chat.Config) { c.SessionWait = 2 * time.Second }
	j := newJoinSetup(t, chat.Message{}, says("Hello"), brief)
	s, first := j.replicas[0], j.msg
	first.IdempotencyKey = "second"
	one := sending(t, s, first)
	eventually(t, func() bool { return s.Waiting() == 1 })
	two := sending(t, s, first)
	eventually(t, func() bool { return s.Waiting() == 2 })
	j.gate <- struct{}{} // ends the turn before
	eventually(t, func() bool { return s.Joined() == 1 })
	close(j.gate)
	a, b := <-one, <-two
	if a.err != nil || b.err != nil || b.Answer.MessageID != a.Turn || !b.Answer.Replayed {
		t.Errorf("%v and %v", a.err, b.err)
	}
}
