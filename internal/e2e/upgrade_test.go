package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// nextPrograms names a directory where another version of PostgreSQL is unpacked, with the paths of the installed one below. Without it
// the upgrade is played: libraries that cannot be loaded, and then a program that runs the installed one.
const nextPrograms = "AGENTCHAT_TEST_POSTGRES_NEXT"

// upgrading is a replica on its private PostgreSQL, whose programs are replaced while callers send messages.
type upgrading struct {
	t        *testing.T
	r        *replica
	store    *store.DB
	fixture  storetest.Fixture
	http     *http.Client
	programs *storetest.Programs

	over atomic.Bool
	load sync.WaitGroup
	// answered counts messages, refused the 503s before a message was answered, and latest is when one was answered last.
	answered, refused atomic.Int64
	latest            atomic.Pointer[time.Time]
}

func newUpgrading(t *testing.T, env ...string) *upgrading {
	t.Helper()
	u := &upgrading{t: t, programs: storetest.CopyPrograms(t), http: client(t)}
	dir := filepath.Join(storetest.DataDir(t), "data")
	u.r = startProgram(t, binary, "", append(env, "AGENTCHAT_DATA_DIR="+dir, "AGENTCHAT_POSTGRES_BIN="+u.programs.BinDir)...)
	t.Cleanup(func() {
		u.r.terminate() // a killed one would leave its PostgreSQL behind
		<-u.r.exited
	})
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, "postgres", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	at := url.URL{Scheme: "postgres", User: url.UserPassword("agentchat", strings.TrimSpace(read("agentchat.password"))),
		Host: "127.0.0.1:" + strings.Split(read("postmaster.pid"), "\n")[3], Path: "/agentchat", RawQuery: "sslmode=disable"}
	var err error
	if u.store, err = store.Open(t.Context(), store.Config{URL: at.String(), ApplicationName: "test"}); err != nil {
		t.Fatal(err)
	}
	u.store.SQL().SetMaxIdleConns(0)
	t.Cleanup(func() { _ = u.store.Close() })
	u.fixture = storetest.Seed(t, u.store, storetest.Options{Credits: 1_000_000})
	return u
}

// send sends a message until it is answered, as callers should: again under its key after a 503.
func (u *upgrading) send(session, message string) {
	for key := uuid.NewString(); !u.t.Failed(); {
		got, err := ask(u.t.Context(), u.http, u.r.Chat, u.fixture.Key.Reveal(), session, message, "Idempotency-Key", key)
		switch {
		case err != nil:
			u.t.Error(err)
		case got.Status == http.StatusOK:
			now := time.Now()
			u.latest.Store(&now)
			u.answered.Add(1)
			return
		case got.outcome() == "unavailable", got.outcome() == "request_in_progress", got.outcome() == "session_busy":
			u.refused.Add(1)
			<-time.After(50 * time.Millisecond)
		default:
			u.t.Errorf("a message: %d %s", got.Status, got.Body)
		}
	}
}

func (u *upgrading) run(callers int) {
	for range callers {
		u.load.Go(func() {
			for session := uuid.NewString(); !u.over.Load(); {
				u.send(session, "hello")
			}
		})
	}
	u.more(20)
}

// more waits until more messages are answered.
func (u *upgrading) more(n int64) {
	u.t.Helper()
	before := u.answered.Load()
	eventually(u.t, "messages are answered", func() bool { return u.t.Failed() || u.answered.Load() >= before+n })
}

// end checks that each message was charged once.
func (u *upgrading) end() {
	u.t.Helper()
	u.over.Store(true)
	u.load.Wait()
	storetest.Audit(u.t, u.store)
	var turns, charges, credits int64
	if err := u.store.SQL().QueryRowContext(u.t.Context(), `SELECT (SELECT count(*) FROM turns WHERE state = 'ANSWERED'),
		(SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'), (SELECT 1000000 - credit_balance FROM accounts)`).
		Scan(&turns, &charges, &credits); err != nil {
		u.t.Fatal(err)
	}
	if n := u.answered.Load(); turns != n || charges != n || credits != n {
		u.t.Errorf("%d messages were answered; there are %d turns, %d charges, %d credits are spent", n, turns, charges, credits)
	}
}

// restarts counts the restarts of PostgreSQL in the log.
func (u *upgrading) restarts() int {
	return strings.Count(u.r.log.String(), `"msg":"PostgreSQL was restarted"`)
}

// replace replaces one file after the other, the server's program last. It returns how many there were.
func (u *upgrading) replace() (files int) {
	u.t.Helper()
	next := os.Getenv(nextPrograms)
	if next == "" {
		u.programs.ReplaceLibraries()
		u.programs.ReplaceServer("")
		return 4
	}
	for _, dir := range []string{u.programs.Libraries, u.programs.BinDir} {
		_, installed, _ := strings.Cut(dir, "/usr/")
		entries, err := os.ReadDir(filepath.Join(next, "usr", installed))
		if err != nil {
			u.t.Fatal(err)
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() {
				continue
			}
			content, err := os.ReadFile(filepath.Join(next, "usr", installed, entry.Name()))
			if err != nil {
				u.t.Fatal(err)
			}
			u.programs.Replace(filepath.Join(dir, entry.Name()), content)
			files++
		}
	}
	return files
}

// TestPostgreSQLIsUpgradedUnderLoad: the package of the private PostgreSQL is upgraded while callers send messages. While the service has
// its connections, no message is even refused, and one that is being answered meanwhile is answered. When all connections have ended as
// well, so that each message needs what cannot be loaded, and the upgrade takes long, readiness and the log say why, and messages are
// answered again within 60 s. No message is lost, and none is charged twice.
func TestPostgreSQLIsUpgradedUnderLoad(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	t.Run("while connections last", func(t *testing.T) {
		t.Parallel()
		u := newUpgrading(t)
		u.run(4)
		u.load.Go(func() { u.send("long", "[[sandbox delay=25s]]") })
		began := time.Now()
		files := u.replace()
		var longest time.Duration
		eventually(t, "PostgreSQL is restarted", func() bool {
			u.r.ready() // asks for a rehearsal
			longest = max(longest, time.Since(*u.latest.Load()))
			return u.restarts() > 0
		})
		took := time.Since(began)
		u.more(100)
		u.end()
		t.Logf("%d files; restarted %.1f s after the first; messages waited for %.1f s at most; %d answered, %d refused",
			files, took.Seconds(), longest.Seconds(), u.answered.Load(), u.refused.Load())
		if n := u.refused.Load(); n > 0 {
			t.Errorf("%d messages were refused", n)
		}
	})
	t.Run("without connections", func(t *testing.T) {
		t.Parallel()
		// Of a message whose begin lost its connection nobody knows whether it began, until the reaper ends it.
		u := newUpgrading(t, "MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms")
		u.run(4)
		u.programs.ReplaceLibraries()
		if _, err := u.store.SQL().ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name = 'agentchat'`); err != nil {
			t.Fatal(err)
		}
		broken := time.Now()
		// An unpacking that takes long: no five seconds pass without another file.
		eventually(t, "/readyz says why, and messages are refused", func() bool {
			u.programs.ReplaceLibraries()
			return u.refused.Load() > 3 && u.r.readiness() == "503 library_not_loaded"
		})
		files := u.replace()
		replaced := time.Now()
		u.more(20)
		took := time.Since(replaced)
		u.r.expectReadiness("after the restart", "200 ready")
		u.end()
		t.Logf("%d files; messages failed for %.1f s, the last %.1f s after the last file; %d answered, %d refused", files,
			time.Since(broken).Seconds(), took.Seconds(), u.answered.Load(), u.refused.Load())
		if took > time.Minute || u.restarts() != 1 {
			t.Errorf("answered %v after the upgrade, with %d restarts", took, u.restarts())
		}
		if n := strings.Count(u.r.log.String(), "requests are refused"); n == 0 || n > 10 || u.refused.Load() < int64(n) {
			t.Errorf("%d lines about %d refused messages", n, u.refused.Load())
		}
		if !strings.Contains(u.r.log.String(), `could not load library`) {
			t.Errorf("the log lacks the cause: %s", u.r.log.String())
		}
	})
}
