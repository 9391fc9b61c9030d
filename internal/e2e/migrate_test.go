package e2e_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestConcurrentStarts kills a replica while it migrates an empty database, and then starts four
// replicas together. They complete the migrations, and each migration runs once.
func TestConcurrentStarts(t *testing.T) {
	testlong.Only(t)
	const replicas = 4
	url := storetest.EmptyURL(t)
	s := storetest.Open(t, url)
	killed, begun := command(t, binary, url, "serve"), rand.IntN(2)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the first migrations", func() bool {
		var made int
		err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM goose_db_version
			WHERE version_id > 0`).Scan(&made)
		return err == nil && made >= begun
	})
	<-time.After(time.Duration(rand.IntN(5)) * time.Millisecond)
	_ = killed.Process.Kill()
	_ = killed.Wait()
	started := make([]*replica, replicas)
	var all sync.WaitGroup
	for i := range started {
		all.Go(func() { started[i] = start(t, url, "DATABASE_MAX_CONNS=4") })
	}
	all.Wait()
	if t.Failed() {
		t.FailNow() // one of them did not start
	}
	if err := s.SchemaCurrent(t.Context()); err != nil {
		t.Error(err)
	}
	var versions, rows int
	readRow(t, s, `SELECT count(DISTINCT version_id), count(*) FROM goose_db_version
		WHERE version_id > 0`, nil, &versions, &rows)
	if versions == 0 || versions != rows {
		t.Errorf("%d versions in %d rows", versions, rows)
	}
	f := storetest.Seed(t, s, storetest.Options{})
	for i, r := range started {
		got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), "", "hello")
		if outcome := outcomeOf(got, err); outcome != "200" {
			t.Errorf("replica %d: %s", i, outcome)
		}
	}
	storetest.Audit(t, s)
}
