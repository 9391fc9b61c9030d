package e2e_test

import (
	"sync"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/operator"
)

// auditing audits the ledger every 100 ms, each time in one snapshot, until the test ends or stop is called. If an audit takes longer
// than 100 ms, audits run a fifth of the time. An unreachable database is not a violation.
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
