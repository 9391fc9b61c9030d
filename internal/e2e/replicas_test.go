package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// released counts the turns of replicas that another replica took for dead.
const released = `agentchat_released_turns_total{reason="replica"}`

// releasedWithin is the time in which another replica releases the credits of one that died.
const releasedWithin = 20 * time.Second

// pendingOn sends a message to a replica, waits until its turn is pending, and returns what the
// caller gets.
func (c *cluster) pendingOn(
	t *testing.T, r *replica, f storetest.Fixture, message, key string,
) <-chan string {
	t.Helper()
	outcome := make(chan string, 1)
	go func() {
		got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), "s", message,
			"Idempotency-Key", key)
		outcome <- outcomeOf(got, err)
	}()
	eventually(t, "the turn is pending", func() bool {
		_, held := creditsOf(t, c.store, f)
		return held == 1
	})
	return outcome
}

// insist sends a message to one replica after the other, as its caller would, until it is answered.
// It waits for at most 5 s each time, and retries after Retry-After.
func (c *cluster) insist(t *testing.T, f storetest.Fixture, session string, first int) {
	t.Helper()
	client, key := client(t), uuid.NewString()
	for i := first; t.Context().Err() == nil; i++ {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		got, err := ask(ctx, client, c.chat(i), f.Key.Reveal(), session, "[[sandbox delay=1s]]",
			"Idempotency-Key", key)
		cancel()
		if err == nil && got.Status == http.StatusOK {
			return
		}
		pause, _ := strconv.Atoi(got.Header.Get("Retry-After"))
		if err == nil && pause == 0 {
			t.Errorf("%s: %s", session, outcomeOf(got, err))
			return
		}
		<-time.After(time.Duration(pause) * time.Second)
	}
}

// TestReplicaDies: a replica is killed, or stopped and later continued, while it answers half of 64
// callers. All get their replies within 20 s, and are charged once.
func TestReplicaDies(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{
		"killed":  syscall.SIGKILL,
		"stopped": syscall.SIGSTOP,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const callers = 64
			c := newCluster(t, 2)
			f := storetest.Seed(t, c.store, storetest.Options{Credits: callers})
			var answered sync.WaitGroup
			for i := range callers {
				answered.Go(func() { c.insist(t, f, fmt.Sprint("s", i), i) })
			}
			eventually(t, "both replicas answer", func() bool {
				_, held := creditsOf(t, c.store, f)
				return held > callers/2
			})
			_ = c.replicas[0].command.Process.Signal(signal)
			died := time.Now()
			answered.Wait()
			if took := time.Since(died); took > releasedWithin {
				t.Errorf("answered after %s", took)
			}
			t.Logf("answered after %s", time.Since(died))
			_ = c.replicas[0].command.Process.Signal(syscall.SIGCONT)
			expectNoHold(t, c.store, f)
			if charged, turns := chargesOf(t, c.store, f); charged != callers || turns != callers {
				t.Errorf("%d charges, %d turns answered", charged, turns)
			}
			if got, err := c.replicas[1].metric(released); err != nil || got[released] == 0 {
				t.Errorf("released: %v, %v", got, err)
			}
			storetest.Audit(t, c.store)
		})
	}
}

// TestReplicaStops: a replica is stopped during a message, which another one answers meanwhile. When
// it continues, it stores and charges nothing.
func TestReplicaStops(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	c := newCluster(t, 2)
	f := storetest.Seed(t, c.store, storetest.Options{Credits: 2})
	const message, key = "[[sandbox delay=5s]]", "one"
	stopped := c.replicas[0]
	first := c.pendingOn(t, stopped, f, message, key)
	_ = stopped.command.Process.Signal(syscall.SIGSTOP)
	eventually(t, "the retry is answered", func() bool {
		got, err := ask(t.Context(), client(t), c.chat(1), f.Key.Reveal(), "s", message,
			"Idempotency-Key", key)
		return err == nil && got.Status == http.StatusOK
	})
	_ = stopped.command.Process.Signal(syscall.SIGCONT)
	if got := <-first; got != "unavailable" {
		t.Errorf("the stopped replica said %s", got)
	}
	if charged, answered := chargesOf(t, c.store, f); charged != 1 || answered != 1 {
		t.Errorf("%d charges, %d turns answered, want 1 and 1", charged, answered)
	}
	c.wantMetrics(t, 1, map[string]float64{"agentchat_replicas": 2})
	stopped.shutDown(t)
	if n := storetest.CountRows(t, c.store, `SELECT count(*) FROM replicas`); n != 1 {
		t.Errorf("%d replicas are left", n)
	}
	expectNoHold(t, c.store, f)
	storetest.Audit(t, c.store)
}

// TestOverloadedReplicas: two replicas that have many times more callers than they can answer take
// each other for alive.
func TestOverloadedReplicas(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	c := newCluster(t, 2)
	l := newLoad(t, c.store, c.replicas...)
	l.begin(1000)
	for until := time.Now().Add(2 * releasedWithin); time.Now().Before(until); {
		l.more(100)
	}
	l.end()
	l.verdict()
	c.expectNoneReleased(t)
}

// expectNoneReleased checks that no replica took another one for dead.
func (c *cluster) expectNoneReleased(t *testing.T) {
	t.Helper()
	for i, r := range c.replicas {
		if got, err := r.metric(released); err != nil || got[released] != 0 {
			t.Errorf("replica %d released turns of another: %v, %v", i, got, err)
		}
	}
}

// wantMetrics waits for metrics of a replica.
func (c *cluster) wantMetrics(t *testing.T, i int, want map[string]float64) {
	t.Helper()
	for name, value := range want {
		eventually(t, fmt.Sprint(name, " is ", value), func() bool {
			got, err := c.replicas[i].metric(name)
			return err == nil && got[name] == value
		})
	}
}
