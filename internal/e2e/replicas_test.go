package e2e_test

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

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

// TestReplicaDies: the credits of a replica that was killed are released by another one in 20 s,
// and its session answers.
func TestReplicaDies(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	c := newCluster(t, 2)
	f := storetest.Seed(t, c.store, storetest.Options{Credits: 2})
	c.pendingOn(t, c.replicas[0], f, "[[sandbox delay=50s]]", "one")
	c.replicas[0].kill()
	died := time.Now()
	got, err := ask(t.Context(), client(t), c.chat(1), f.Key.Reveal(), "s", "hello")
	if err != nil || got.Status != http.StatusOK || time.Since(died) > releasedWithin {
		t.Errorf("%s after %s", outcomeOf(got, err), time.Since(died))
	}
	t.Logf("released and answered after %s", time.Since(died))
	c.wantMetrics(t, 1, map[string]float64{
		`agentchat_released_turns_total{reason="replica"}`: 1, "agentchat_replicas": 1,
	})
	expectNoHold(t, c.store, f)
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
