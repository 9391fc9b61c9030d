package main

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestBackup restores a dump with a pending turn into a new database. `agentchat verify` finds no
// violation there. A service then fails the turn, charges nothing for it, and continues.
func TestBackup(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	dump, restore := storetest.Program(t, url, "pg_dump"), storetest.Program(t, url, "pg_restore")
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 3})
	storetest.AnswerTurn(t, s, f.Key, nil)
	storetest.BeginTurn(t, s, f.Key, nil)
	run := func(program string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", filepath.Base(program), err, out)
		}
	}
	file, copied := filepath.Join(t.TempDir(), "agentchat.dump"), storetest.EmptyURL(t)
	run(dump, "--format=custom", "--file="+file, url)
	run(restore, "--no-owner", "--exit-on-error", "--dbname="+copied, file)
	storetest.Exec(t, storetest.Open(t, copied), `UPDATE turns SET deadline = clock_timestamp()`)
	env := onDatabase(t, copied, "REAP_INTERVAL=50ms")
	verify := func() {
		t.Helper()
		got := invoke(t, env, "", "verify", "--json").object(t)
		if got["consistent"] != true || got["turns"].(float64) < 2 {
			t.Errorf("the copy: %v", got)
		}
	}
	verify()
	service := startService(t, env)
	until(t, "the pending turn has failed", func() bool {
		return storetest.CountRows(t, storetest.Open(t, copied),
			`SELECT count(*) FROM turns WHERE state = 'FAILED'`) == 1
	})
	code, r := say(t, service.Chat, f.Key.Reveal(), "after the restore", "hello")
	if code != http.StatusOK || r.Usage.CreditsRemaining != 1 {
		t.Errorf("a chat on the copy: %d %+v", code, r)
	}
	verify()
}
