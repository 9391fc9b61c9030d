package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"agentchat/internal/testlong"
)

// recoveryLimit is how soon new messages must be answered once the database can be used again.
const recoveryLimit = 5 * time.Second

// TestDatabaseKilledUnderLoad: PostgreSQL is killed with SIGKILL repeatedly under load over two replicas, and these are, while versions are
// published. Every caller retries its messages and results until they are answered. Each answer is stored and charged once, chains stay in
// order and keep their version, and the service recovers by itself.
func TestDatabaseKilledUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	database := newCrashableDB(t, nil)
	s := database.open()
	auditing(t, s)
	l := newLoad(t, database, s)
	l.begin(32, func(caller int) string { return fmt.Sprint("session ", caller) })
	l.callers.Go(func() { l.publish(s) })
	for kill := range 10 {
		l.killReplica(kill%2, database.url)
		before := l.answered.Load()
		eventually(t, "the load is running", func() bool { return l.answered.Load() >= before+50 })
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
		database.kill()
		database.start()
		if took := l.recoveryTime(); took > recoveryLimit {
			t.Errorf("kill %d: the first answer came %v after PostgreSQL accepted connections", kill, took)
		}
	}
	l.end()
	l.verdict(s)
}
