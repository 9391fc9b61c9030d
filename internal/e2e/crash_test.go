package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"agentchat/internal/faults"
)

// recoveryLimit is how soon new messages must be answered once the database can be used again.
const recoveryLimit = 5 * time.Second

// TestDatabaseKilledUnderLoad: PostgreSQL is killed with SIGKILL repeatedly under load over two replicas. Every caller retries its
// message until it is answered. Each answer is stored and charged once, and the service recovers by itself.
func TestDatabaseKilledUnderLoad(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F1")
	database := newCrashableDB(t, nil)
	s := database.open()
	t.audit(s)
	l := newLoad(t, database, s)
	callers := faults.Times(8, 32) // 32 make batches
	l.begin(callers, func(caller int) string { return fmt.Sprint("session ", caller) })
	random, slowest := t.random(), time.Duration(0)
	for kill := range faults.Times(1, 20) {
		before := l.answered.Load()
		eventually(t, "the load is running", func() bool { return l.answered.Load() >= before+50 })
		<-time.After(time.Duration(random.IntN(300)) * time.Millisecond)
		database.kill()
		database.start()
		took := l.recoveryTime()
		if slowest = max(slowest, took); took > recoveryLimit && faults.Full() {
			t.Errorf("kill %d: the first answer came %v after PostgreSQL accepted connections", kill, took)
		}
		t.ran(1)
	}
	l.end()
	t.measured("%s; the first answer came at most %v after PostgreSQL accepted connections", l.verdict(s), slowest.Round(time.Millisecond))
}
