package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestBackupUnderLoad dumps the database while callers send messages, restores it into a new one,
// and runs `agentchat verify` on the copy, which has pending turns. Then a service continues with
// the copy.
func TestBackupUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	dump, restore := storetest.Program(t, url, "pg_dump"), storetest.Program(t, url, "pg_restore")
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 100_000})
	service := startService(t, onDatabase(t, url), "--migrate=false")
	load := startLoad(t, service.Chat, f.Key.Reveal())
	until(t, "the load is on", func() bool { return load.answered.Load() > 50 })

	file := filepath.Join(t.TempDir(), "agentchat.dump")
	before := load.answered.Load()
	runProgram(t, dump, "--format=custom", "--file="+file, url)
	during := load.answered.Load() - before
	load.stop()
	if during == 0 {
		t.Error("nothing was answered while the dump was taken")
	}

	copied := storetest.EmptyURL(t)
	runProgram(t, restore, "--no-owner", "--exit-on-error", "--dbname="+copied, file)
	env := onDatabase(t, copied, "HOLD_GRACE=1s", "MODEL_TIMEOUT=1s", "REAP_INTERVAL=50ms")
	got := invoke(t, env, "", "verify", "--json").object(t)
	turns, all := int64(got["turns"].(float64)), load.answered.Load()
	if got["consistent"] != true || turns < before || turns > all+loadWorkers {
		t.Errorf("the copy: %v, after %d to %d answers", got, before, all)
	}
	second := startService(t, env)
	if code, r := say(t, second.Chat, f.Key.Reveal(), "after the restore", "hello"); code != http.StatusOK {
		t.Errorf("a chat on the copy: %d %+v", code, r)
	}
	if r := invoke(t, env, "", "verify"); r.code != exitOK || !strings.Contains(r.stdout, "is consistent") {
		t.Errorf("the copy in use: %+v", r)
	}
	storetest.Audit(t, s)
}

// loadWorkers is the number of concurrent callers.
const loadWorkers = 8

// load sends messages until it is stopped.
type load struct {
	answered atomic.Int64
	stop     func()
}

func startLoad(t *testing.T, address, key string) *load {
	t.Helper()
	l := &load{}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	l.stop = sync.OnceFunc(func() {
		cancel()
		work.Wait()
	})
	t.Cleanup(l.stop)
	for worker := range loadWorkers {
		work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				code, r := say(t, address, key, fmt.Sprintf("customer %d, %d", worker, n/20),
					"[[sandbox delay=10ms]] hello")
				if code != http.StatusOK {
					t.Errorf("a chat under load: %d %+v", code, r)
					return
				}
				l.answered.Add(1)
			}
		})
	}
	return l
}

func runProgram(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", filepath.Base(program), err, out)
	}
}
