package testruns_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/llm"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
)

// TestALostReplica finishes a run on another replica while the first one, which has lost its claim,
// still sends. Each step is charged once.
func TestALostReplica(t *testing.T) {
	t.Parallel()
	asked, reply := make(chan struct{}, 100), make(chan struct{})
	b := newBench(t, func(context.Context, llm.Request) (string, error) {
		asked <- struct{}{}
		<-reply
		return "ok", nil
	}, storetest.Options{})
	for i := range 8 {
		b.add(t, fmt.Sprintf(`{"message": "%d", "checks": []}`, i))
	}
	_, second := b.replica(t, storetest.Replica(t, b.DB))
	run := b.start(t, nil)
	work(t, b.worker)
	for range 4 {
		<-asked
	}
	storetest.Exec(t, b.DB, `UPDATE test_runs SET due_at = clock_timestamp() WHERE id = $1`, run.ID)
	work(t, second)
	for storetest.CountRows(t, b.DB, `SELECT attempt FROM test_runs WHERE id = $1`, run.ID) < 2 {
		runtime.Gosched()
	}
	close(reply)
	expect(t, b.end(t, run.ID), tests.RunPassed, "", 24)
	if b.charged(t) != 24 {
		t.Errorf("charged %d", b.charged(t))
	}
}

// TestDrain tests that a draining worker releases its run, and that another one continues it.
func TestDrain(t *testing.T) {
	t.Parallel()
	asked, reply := make(chan struct{}, 100), make(chan struct{})
	b := newBench(t, func(context.Context, llm.Request) (string, error) {
		asked <- struct{}{}
		<-reply
		return "ok", nil
	}, storetest.Options{})
	for i := range 6 {
		b.add(t, fmt.Sprintf(`{"message": "%d", "checks": []}`, i))
	}
	run := b.start(t, nil)
	stop := work(t, b.worker)
	for range 4 {
		<-asked
	}
	b.worker.Drain()
	close(reply)
	if err := b.chats.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	got, err := tests.On(b.DB).Run(t.Context(), run.AccountID, run.ID)
	if err != nil || got.State != tests.RunWaiting || got.Done != 4 || got.Lost != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	_, second := b.replica(t, storetest.Replica(t, b.DB))
	work(t, second)
	expect(t, b.end(t, run.ID), tests.RunPassed, "", 18)
}

// TestErasedSessions tests that a run which another worker continues keeps to its budget, although the
// sessions of its first messages were erased.
func TestErasedSessions(t *testing.T) {
	t.Parallel()
	asked, reply := make(chan struct{}, 100), make(chan struct{})
	b := newBench(t, func(context.Context, llm.Request) (string, error) {
		asked <- struct{}{}
		<-reply
		return "ok", nil
	}, storetest.Options{})
	for i := range 8 {
		b.add(t, fmt.Sprintf(`{"message": "%d", "checks": []}`, i))
	}
	run := b.start(t, func(in *tests.NewRun) { in.Budget = new(int64(14)) })
	stop := work(t, b.worker)
	for range 4 {
		<-asked
	}
	b.worker.Drain()
	close(reply)
	if err := b.chats.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	page, err := conversations.On(b.DB).ConversationPage(t.Context(), run.AccountID, conversations.ConversationQuery{
		First: 10, Filter: conversations.ConversationFilter{Source: conversation.Test}})
	if err != nil || len(page.Items) != 4 {
		t.Fatalf("%d sessions, %v", len(page.Items), err)
	}
	for _, c := range page.Items {
		if err := erasure.On(b.DB).DeleteConversation(t.Context(), run.AccountID, c.ID); err != nil {
			t.Fatal(err)
		}
	}
	_, second := b.replica(t, storetest.Replica(t, b.DB))
	work(t, second)
	expect(t, b.end(t, run.ID), tests.RunStopped, tests.OverBudget, 12)
	if b.charged(t) != 12 {
		t.Errorf("charged %d", b.charged(t))
	}
}

// TestPendingCharges ends a run in both ways that a claim can find at once: after the messages of an earlier
// claim have ended, with their cost.
func TestPendingCharges(t *testing.T) {
	t.Parallel()
	for reason, set := range map[tests.StopReason]string{
		tests.Cancelled:    `stop_reason = 'CANCELLED'`,
		tests.NotAvailable: `lost = 5`,
	} {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			testPendingCharges(t, reason, set)
		})
	}
}

func testPendingCharges(t *testing.T, reason tests.StopReason, set string) {
	t.Helper()
	asked, reply := make(chan struct{}, 100), make(chan struct{})
	b := newBench(t, func(context.Context, llm.Request) (string, error) {
		asked <- struct{}{}
		<-reply
		return "ok", nil
	}, storetest.Options{})
	for i := range 4 {
		b.add(t, fmt.Sprintf(`{"message": "%d", "checks": []}`, i))
	}
	_, second := b.replica(t, storetest.Replica(t, b.DB))
	run := b.start(t, nil)
	work(t, b.worker)
	for range 4 {
		<-asked
	}
	storetest.Exec(t, b.DB, `UPDATE test_runs SET due_at = clock_timestamp(), `+set+` WHERE id = $1`, run.ID)
	work(t, second)
	for storetest.CountRows(t, b.DB, `SELECT attempt FROM test_runs WHERE id = $1`, run.ID) < 2 {
		runtime.Gosched()
	}
	time.AfterFunc(200*time.Millisecond, func() { close(reply) })
	expect(t, b.end(t, run.ID), tests.RunStopped, reason, 12)
	if b.charged(t) != 12 {
		t.Errorf("charged %d", b.charged(t))
	}
}
