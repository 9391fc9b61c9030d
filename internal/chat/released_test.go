package chat_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// released counts the turns that background work failed.
type released struct {
	mu    sync.Mutex
	turns map[chat.Reason]int
}

func (r *released) count(c *chat.Config) {
	r.turns = map[chat.Reason]int{}
	c.Released = func(why chat.Reason, n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.turns[why] += n
	}
}

func (r *released) want(t *testing.T, why chat.Reason, n int) {
	t.Helper()
	eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.turns[why] == n
	})
}

// TestTurnsOfDeadReplicas tests that another replica fails the turns of a dead replica, even those
// that it begins later, and that a replica that shuts down removes its row.
func TestTurnsOfDeadReplicas(t *testing.T) {
	t.Parallel()
	var r released
	b := newSetup(t, 2, func(c *chat.Config) { c.BeatPause = 5 * time.Millisecond }, r.count)
	f := storetest.Seed(t, b.store, storetest.Options{})
	dead := turns.On(b.stores[1])
	if err := dead.Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop := running(t, b.replicas[0])
	for n := range 2 {
		storetest.BeginTurn(t, b.stores[1], f.Key, nil)
		pending(t, b.store, 0)
		r.want(t, chat.ReplicaDied, n+1)
	}
	eventually(t, func() bool { return b.replicas[0].Replicas() == 1 })
	if _, err := dead.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return b.replicas[0].Replicas() == 2 })
	stop()
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM replicas`); n != 1 {
		t.Errorf("%d replicas are left, want 1: the dead one", n)
	}
	wantCredits(t, b.store, f, 100)
}

// TestPanicReleasesItsTurn tests that a turn whose answer panics fails before its deadline.
func TestPanicReleasesItsTurn(t *testing.T) {
	t.Parallel()
	var r released
	b := newSetup(t, 1, r.count, func(c *chat.Config) {
		c.Observe = func(chat.ModelCall) { panic("a bug") }
	})
	f := storetest.Seed(t, b.store, storetest.Options{})
	accepted(t, b.replicas[0], inBackground(f, "k"))
	eventually(t, func() bool { return b.replicas[0].InFlight() == 0 })
	defer running(t, b.replicas[0])()
	r.want(t, chat.Unsettled, 1)
	wantFault(t, b.replicas[0], inBackground(f, "k"), fault.Internal)
	wantCredits(t, b.store, f, 100)
}

// TestSettlementThatGaveUp tests that a turn whose settlement gave up is failed later, with its
// code and its unpaid calls.
func TestSettlementThatGaveUp(t *testing.T) {
	t.Parallel()
	called, fail := make(chan struct{}), make(chan struct{})
	model := script(func(context.Context) (llm.Reply, error) {
		close(called)
		<-fail
		return llm.Reply{}, fault.New(fault.ContentBlocked, "")
	})
	var r released
	b := newSetup(t, 1, offering(model), r.count)
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	sent := sendLater(t.Context(), b.replicas[0], newMessage(f, "s", "hello"))
	<-called
	gaveUp := make(chan struct{})
	release := storetest.WhileLocked(t, b.store, `SELECT FROM accounts`, func() error {
		close(fail)
		<-sent
		close(gaveUp)
		return nil
	})
	<-gaveUp
	eventually(t, func() bool { // its last attempt has ended in the database, too
		return storetest.CountRows(t, b.store, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0
	})
	release()
	pending(t, b.store, 1)
	defer running(t, b.replicas[0])()
	r.want(t, chat.Unsettled, 1)
	stored := storetest.CountRows(t, b.store, `SELECT count(*) FROM turns t, accounts a
		WHERE t.state = $1 AND t.error_code = $2 AND a.unpaid_tat > now()`,
		conversation.Failed, fault.ContentBlocked)
	if stored != 1 {
		t.Error("the turn has not failed with its code and its unpaid call")
	}
	wantCredits(t, b.store, f, 100)
}
