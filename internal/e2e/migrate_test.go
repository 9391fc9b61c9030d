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

// TestConcurrentStarts: eight replicas start at once on an empty database, and each migration runs once; a replica that is killed
// at some moment of its migrations leaves what the next start mends.
func TestConcurrentStarts(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F10")
	const replicas = 8
	moment, c := t.random(), client(t)
	unfinished, rounds := 0, faults.Times(2, 50)
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
		if killWhileMigrating(t, killed, round%4, time.Duration(moment.IntN(5))*time.Millisecond) {
			unfinished++
		}
		expectRepaired(t, c, killed, round)
		t.ran(1)
	}
	t.measured("each migration once in %d starts of %d at once; of %d replicas killed after some of their migrations, %d had not made all",
		rounds, replicas, rounds, unfinished)
}

// expectRepaired starts a replica on what a killed one left, and uses it.
func expectRepaired(t *faultRow, c *http.Client, url string, round int) {
	t.Helper()
	r, s := start(t, url), storetest.Open(t, url)
	expectMigratedOnce(t, s, round)
	stop := t.audit(s)
	defer stop()
	f := storetest.Seed(t, s, storetest.Options{})
	if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
		t.Errorf("round %d, started on what a killed replica left: %s %v", round, got.outcome(), err)
	}
	storetest.Audit(t, s)
	r.kill()
}

// killWhileMigrating starts a replica, kills it a moment after so many migrations, and reports whether the schema is not whole then.
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
