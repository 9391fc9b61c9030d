package e2e_test

import (
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestConcurrentStarts: when eight replicas start together on an empty database, each migration runs once. When a replica is killed
// during its migrations, the next start completes them.
func TestConcurrentStarts(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F10")
	const replicas = 8
	random, c := t.random(), client(t)
	unfinished, rounds := 0, faults.Times(1, 50)
	for round := range rounds {
		url := storetest.EmptyURL(t)
		s := storetest.Open(t, url)
		started := make([]*replica, replicas)
		var all sync.WaitGroup
		for i := range started {
			all.Go(func() { started[i] = start(t, url, "DATABASE_MAX_CONNS=2") })
		}
		all.Wait()
		if t.Failed() {
			t.FailNow() // one of them did not start
		}
		expectMigratedOnce(t, s, round)
		stop := t.audit(s)
		f := storetest.Seed(t, s, storetest.Options{})
		for i, r := range started {
			if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
				t.Errorf("round %d, replica %d: %s %v", round, i, got.outcome(), err)
			}
			r.kill()
		}
		storetest.Audit(t, s)
		stop()
		killed := storetest.EmptyURL(t)
		if killWhileMigrating(t, killed, round%4, time.Duration(random.IntN(5))*time.Millisecond) {
			unfinished++
		}
		expectRepaired(t, c, killed, round)
		t.ran(1)
	}
	t.measured("each migration ran once in %d starts of %d replicas; %d replicas were killed during their migrations, %d of them before the last",
		rounds, replicas, rounds, unfinished)
}

// expectRepaired starts a replica on the database of a killed one, and uses it.
func expectRepaired(t *faultRow, c *http.Client, url string, round int) {
	t.Helper()
	r, s := start(t, url), storetest.Open(t, url)
	expectMigratedOnce(t, s, round)
	stop := t.audit(s)
	defer stop()
	f := storetest.Seed(t, s, storetest.Options{})
	if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
		t.Errorf("round %d, started after a killed replica: %s %v", round, got.outcome(), err)
	}
	storetest.Audit(t, s)
	r.kill()
}

// killWhileMigrating starts a replica, kills it some time after a number of migrations, and reports whether migrations are missing.
func killWhileMigrating(t testing.TB, url string, migrations int, after time.Duration) bool {
	t.Helper()
	s := storetest.Open(t, url)
	command := exec.Command(binary, "serve", "--json")
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "DATABASE_URL=" + url, "LISTEN_ADDR=127.0.0.1:0",
		"OPS_ADDR=127.0.0.1:0", "JWT_SECRET=" + testJWTSecret}
	command.Dir = t.TempDir()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the first migrations", func() bool {
		var made int
		err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM goose_db_version WHERE version_id > 0`).Scan(&made)
		return err == nil && made >= migrations
	})
	<-time.After(after)
	_ = command.Process.Kill()
	_ = command.Wait()
	return s.SchemaCurrent(t.Context()) != nil
}

func expectMigratedOnce(t testing.TB, s *store.Store, round int) {
	t.Helper()
	if err := s.SchemaCurrent(t.Context()); err != nil {
		t.Errorf("round %d: %v", round, err)
	}
	var versions, rows int
	if err := s.DB().QueryRowContext(t.Context(), `SELECT count(DISTINCT version_id), count(*) FROM goose_db_version WHERE version_id > 0`).
		Scan(&versions, &rows); err != nil || versions == 0 || versions != rows {
		t.Errorf("round %d: %d versions in %d rows, %v", round, versions, rows, err)
	}
}
