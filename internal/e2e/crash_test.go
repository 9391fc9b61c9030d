package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"agentchat/internal/faults"
)

// againWithin is how soon new messages are answered once the database can be used again.
const againWithin = 5 * time.Second

// TestDatabaseKilledUnderLoad: PostgreSQL is killed with -9 again and again under load over two replicas. Every caller repeats its
// message until it is answered. What was answered is stored and charged once, and the service goes on by itself.
func TestDatabaseKilledUnderLoad(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F1")
	database := newCrashableDB(t, nil)
	s := database.open()
	t.audit(s)
	l := newLoad(t, database, s)
	l.begin(8, func(caller int) string { return fmt.Sprint("session ", caller) })
	moment, slowest := t.random(), time.Duration(0)
	for kill := range faults.Times(3, 20) {
		before := l.answered.Load()
		eventually(t, "the load is under way", func() bool { return l.answered.Load() >= before+50 })
		<-time.After(time.Duration(moment.IntN(300)) * time.Millisecond)
		database.kill()
		database.start()
		took := l.recoveryTime()
		if slowest = max(slowest, took); took > againWithin {
			t.Errorf("kill %d: answers again %v after PostgreSQL accepted connections", kill, took)
		}
		t.ran(1)
	}
	l.end()
	t.measured("%s; answers again %v after it accepts connections at the latest", l.verdict(s), slowest.Round(time.Millisecond))
}
