package e2e_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// nextPrograms names a directory with another version of PostgreSQL, at the paths of the installed
// one. Without it the upgrade is simulated: first libraries that cannot be loaded, then a program
// that runs the installed one.
const nextPrograms = "AGENTCHAT_TEST_POSTGRES_NEXT"

// upgrade is a load on a replica with its private PostgreSQL, whose programs are replaced.
type upgrade struct {
	*load
	r        *replica
	programs *storetest.Programs
}

func newUpgrade(t *testing.T, env ...string) *upgrade {
	t.Helper()
	u := &upgrade{programs: storetest.CopyPrograms(t)}
	dir := filepath.Join(storetest.DataDir(t), "data")
	env = append(env, "AGENTCHAT_DATA_DIR="+dir, "AGENTCHAT_POSTGRES_BIN="+u.programs.BinDir)
	u.r = startProgram(t, binary, "", env...)
	t.Cleanup(func() { // a killed replica would leave its PostgreSQL behind
		u.r.terminate()
		<-u.r.exited
	})
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, "postgres", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	password := strings.TrimSpace(read("agentchat.password"))
	address := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword("agentchat", password),
		Host:     "127.0.0.1:" + strings.Split(read("postmaster.pid"), "\n")[3],
		Path:     "/agentchat",
		RawQuery: "sslmode=disable",
	}
	s, err := store.Open(t.Context(), store.Config{URL: address.String(), ApplicationName: "test"})
	if err != nil {
		t.Fatal(err)
	}
	s.SQL().SetMaxIdleConns(0)
	t.Cleanup(func() { _ = s.Close() })
	u.load = newLoad(t, s, u.r)
	u.begin(4)
	return u
}

// restarts counts the restarts of PostgreSQL in the log.
func (u *upgrade) restarts() int {
	return strings.Count(u.r.log.String(), `"msg":"PostgreSQL was restarted"`)
}

// replace replaces one file after the other, the server's program last.
func (u *upgrade) replace() {
	u.t.Helper()
	next := os.Getenv(nextPrograms)
	if next == "" {
		u.programs.ReplaceLibraries()
		u.programs.ReplaceServer("")
		return
	}
	for _, dir := range []string{u.programs.Libraries, u.programs.BinDir} {
		_, installed, _ := strings.Cut(dir, "/usr/")
		found, err := filepath.Glob(filepath.Join(next, "usr", installed, "*"))
		if err != nil {
			u.t.Fatal(err)
		}
		for _, path := range found {
			if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
				continue
			}
			content, err := os.ReadFile(path)
			if err != nil {
				u.t.Fatal(err)
			}
			u.programs.Replace(filepath.Join(dir, filepath.Base(path)), content)
		}
	}
}

// TestPostgreSQLIsUpgradedUnderLoad: the package of the private PostgreSQL is upgraded while
// callers send messages. As long as the service keeps its connections, no request is refused. If
// its connections end during a slow upgrade, every request needs files that cannot be loaded:
// /readyz and the log say why, and requests are answered again within 60 s of the last file.
func TestPostgreSQLIsUpgradedUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	t.Run("with connections", func(t *testing.T) {
		t.Parallel()
		u := newUpgrade(t)
		u.callers.Go(func() {
			got, err := ask(t.Context(), u.client, u.r.Chat, u.fixture.Key.Reveal(), "long",
				"[[sandbox delay=25s]]")
			if outcome := outcomeOf(got, err); outcome != "200" {
				t.Errorf("a message during the restart: %s", outcome)
			}
			u.keep("", got)
		})
		u.replace()
		eventually(t, "PostgreSQL is restarted", func() bool {
			u.r.ready() // which makes the service look at PostgreSQL's programs
			return u.restarts() > 0
		})
		u.more(100)
		u.end()
		u.verdict()
		if n := u.counted("refused"); n > 0 {
			t.Errorf("%d requests were refused", n)
		}
	})
	t.Run("without connections", func(t *testing.T) {
		t.Parallel()
		// The reaper ends turns whose begin lost its connection.
		u := newUpgrade(t, shortDeadlines...)
		u.programs.ReplaceLibraries()
		const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name = 'agentchat'`
		if _, err := u.store.SQL().ExecContext(t.Context(), disconnect); err != nil {
			t.Fatal(err)
		}
		eventually(t, "/readyz names the cause, and requests are refused", func() bool {
			u.programs.ReplaceLibraries() // the upgrade counts as running while files change
			return u.counted("refused") > 3 && u.r.readiness() == "503 library_not_loaded"
		})
		u.replace()
		replaced := time.Now()
		u.more(20)
		took := time.Since(replaced)
		if got := u.r.readiness(); got != "200 ready" {
			t.Errorf("/readyz after the restart: %s", got)
		}
		u.end()
		u.verdict()
		if took > time.Minute || u.restarts() != 1 {
			t.Errorf("answered %v after the upgrade, with %d restarts", took, u.restarts())
		}
		log, refused := u.r.log.String(), u.counted("refused")
		if n := strings.Count(log, "requests are refused"); n == 0 || n > 10 || refused < n {
			t.Errorf("%d lines about %d refused requests", n, refused)
		}
		if !strings.Contains(log, `could not load library`) {
			t.Errorf("the log lacks the cause: %s", log)
		}
	})
}
