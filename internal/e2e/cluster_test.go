package e2e_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
)

// cluster is a number of replicas on one database.
type cluster struct {
	url      string
	store    *store.DB
	replicas []*replica
}

func newCluster(t testing.TB, replicas int, env ...string) *cluster {
	t.Helper()
	c := &cluster{url: storetest.URL(t)}
	c.store = storetest.Open(t, c.url)
	for range replicas {
		c.replicas = append(c.replicas, start(t, c.url, env...))
	}
	return c
}

// chat returns the chat API of the i-th replica. Numbers past the last one start over.
func (c *cluster) chat(i int) string { return c.replicas[i%len(c.replicas)].Chat }

// readRow reads one row.
func readRow(t testing.TB, s *store.DB, query string, args []any, out ...any) {
	t.Helper()
	if err := s.SQL().QueryRowContext(t.Context(), query, args...).Scan(out...); err != nil {
		t.Fatal(err)
	}
}

// creditsOf returns the credits of an account, and how many of them are held.
func creditsOf(t testing.TB, s *store.DB, f storetest.Fixture) (balance, held int64) {
	t.Helper()
	readRow(t, s, `SELECT credit_balance, credits_held FROM accounts WHERE id = $1`,
		[]any{f.Account.ID}, &balance, &held)
	return balance, held
}

// chargesOf returns the number of charges of an account, and of its answered turns.
func chargesOf(t testing.TB, s *store.DB, f storetest.Fixture) (charged, answered int64) {
	t.Helper()
	readRow(t, s, `SELECT
		(SELECT count(*) FROM credit_entries WHERE account_id = $1 AND kind = 'CHARGE'),
		(SELECT count(*) FROM turns WHERE account_id = $1 AND state = 'ANSWERED')`,
		[]any{f.Account.ID}, &charged, &answered)
	return charged, answered
}

// expectNoHold waits until no credits of an account are held.
func expectNoHold(t testing.TB, s *store.DB, f storetest.Fixture) {
	t.Helper()
	eventually(t, "no hold is left", func() bool {
		_, held := creditsOf(t, s, f)
		return held == 0
	})
}

// auditing audits the ledger every 100 ms, each time in one snapshot, until the test ends or stop
// is called. If an audit takes longer than that, audits run a fifth of the time. An unreachable
// database is not a violation.
func auditing(t testing.TB, s *store.DB) (stop func()) {
	t.Helper()
	const every = 100 * time.Millisecond
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for pause := time.Duration(0); ; {
			select {
			case <-time.After(pause):
			case <-over:
				return
			}
			began := time.Now()
			found, _ := operator.On(s).Verify(t.Context(), 5)
			for _, v := range found.Violations {
				t.Errorf("audit: %s: account %s: %s", v.Kind, v.AccountID, v.Figures)
			}
			took := time.Since(began)
			if pause = every - took; pause < 0 {
				pause = 4 * took
			}
		}
	}()
	stop = sync.OnceFunc(func() {
		close(over)
		<-ended
	})
	t.Cleanup(stop) // before the database is closed
	return stop
}

// expectCleanLog expects JSON lines with at least one request, and without errors, keys or any of
// the private texts.
func expectCleanLog(t testing.TB, log string, private ...string) {
	t.Helper()
	if apikey.HasShape(log) {
		t.Error("a log contains a key")
	}
	for _, text := range private {
		if strings.Contains(log, text) {
			t.Errorf("a log contains %q", text)
		}
	}
	requests := 0
	for line := range strings.Lines(log) {
		var entry struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("a line of the log is not JSON: %s", line)
		}
		if entry.Msg == "request" {
			requests++
		}
		if entry.Level == "ERROR" {
			t.Errorf("the log contains an error: %s", line)
		}
	}
	if requests == 0 {
		t.Error("a log contains no request")
	}
}
