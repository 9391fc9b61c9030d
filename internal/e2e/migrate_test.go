package e2e_test

import (
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestConcurrentStarts: when four replicas start together on an empty database, each migration runs once. When a replica is killed
// during its migrations, the next start completes them.
func TestConcurrentStarts(t *testing.T) {
	testlong.Only(t)
	const replicas = 4
	c, url := client(t), storetest.EmptyURL(t)
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
	expectMigratedOnce(t, s)
	f := storetest.Seed(t, s, storetest.Options{})
	for i, r := range started {
		if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
			t.Errorf("replica %d: %s %v", i, got.outcome(), err)
		}
		r.kill()
	}
	storetest.Audit(t, s)
	killed := storetest.EmptyURL(t)
	killWhileMigrating(t, killed, rand.IntN(2), time.Duration(rand.IntN(5))*time.Millisecond)
	expectRepaired(t, c, killed)
}

// expectRepaired starts a replica on the database of a killed one, and uses it.
func expectRepaired(t *testing.T, c *http.Client, url string) {
	t.Helper()
	r, s := start(t, url), storetest.Open(t, url)
	expectMigratedOnce(t, s)
	f := storetest.Seed(t, s, storetest.Options{})
	if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "", "hello"); err != nil || got.Status != http.StatusOK {
		t.Errorf("started after a killed replica: %s %v", got.outcome(), err)
	}
	storetest.Audit(t, s)
}

// killWhileMigrating starts a replica, and kills it some time before or after its one migration.
func killWhileMigrating(t testing.TB, url string, migrations int, after time.Duration) {
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
		err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM goose_db_version WHERE version_id > 0`).Scan(&made)
		return err == nil && made >= migrations
	})
	<-time.After(after)
	_ = command.Process.Kill()
	_ = command.Wait()
}

func expectMigratedOnce(t testing.TB, s *store.DB) {
	t.Helper()
	if err := s.SchemaCurrent(t.Context()); err != nil {
		t.Error(err)
	}
	var versions, rows int
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT count(DISTINCT version_id), count(*) FROM goose_db_version WHERE version_id > 0`).
		Scan(&versions, &rows); err != nil || versions == 0 || versions != rows {
		t.Errorf("%d versions in %d rows, %v", versions, rows, err)
	}
}
