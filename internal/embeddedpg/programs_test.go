package embeddedpg_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const runsFunction = "DO 'BEGIN PERFORM 1; END'"

func tryFunction(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, runsFunction)
	return err
}

// pauses counts the pauses of a service that stops using the server immediately.
type pauses struct {
	begun, ended atomic.Int32
	last         atomic.Pointer[time.Time]
}

func (p *pauses) pause(context.Context) (resume func()) {
	now := time.Now()
	p.last.Store(&now)
	p.begun.Add(1)
	return func() { p.ended.Add(1) }
}

// TestReplacedProgramsAreRun replaces the files of PostgreSQL one after the other under the running
// server, with one of them missing in between, and once with another major version. New backends
// fail as they do after an upgrade. The server is restarted once on its port, when all files are
// present.
func TestReplacedProgramsAreRun(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	i, p := storetest.CopyPrograms(t), &pauses{}
	cfg := config(t)
	cfg.BinDir = i.BinDir
	unusable := make(chan struct{}, 10)
	cfg.Logger = onMessage("PostgreSQL's programs were replaced but cannot be used", func() {
		unusable <- struct{}{}
	})
	const still = 400 * time.Millisecond
	s := start(t, embeddedpg.WithLooks(cfg, time.Hour, still)) // it looks only on request
	s.FollowPrograms(p.pause)
	write(t, s.URL())
	must(t, tryFunction(t.Context(), s.URL()))

	must(t, os.Remove(filepath.Join(i.Libraries, "plpgsql.so")))
	refused, ok := errors.AsType[*pgconn.PgError](tryFunction(t.Context(), s.URL()))
	if !ok || refused.Code != "58P01" {
		t.Errorf("a new backend without the library: %v", refused)
	}
	replaced := time.Now()
	i.ReplaceServer("")
	s.LookAtPrograms()
	closed(t, "a warning that the library is missing", unusable)
	if after := time.Since(replaced); after < still {
		t.Errorf("the programs were checked %v after they were replaced", after)
	}
	i.ReplaceLibraries()
	i.ReplaceServer("echo 'postgres (PostgreSQL) 99.1'; exit")
	closed(t, "a warning that the version is another one", unusable)
	if p.begun.Load() != 0 {
		t.Error("restarted with programs that cannot be used")
	}
	i.ReplaceServer("")
	replaced = time.Now()
	if err := tryFunction(t.Context(), s.URL()); err == nil {
		t.Error("the running server loads a library of another version")
	}
	eventually(t, "the replaced programs run", func() bool {
		return tryFunction(t.Context(), s.URL()) == nil
	})
	if after := p.last.Load().Sub(replaced); after < still {
		t.Errorf("restarted %v after the last file was replaced", after)
	}
	note(t, s.URL())
	pid, _, _, err := embeddedpg.ParsePIDFile(string(readFile(t,
		filepath.Join(cfg.DataDir, "postgres", "postmaster.pid"))))
	must(t, err)
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil &&
		exe != filepath.Join(i.Next, "postgres") {
		t.Errorf("the running program is %s", exe)
	}
	eventually(t, "the pause ends", func() bool { return p.ended.Load() > 0 })
	if p.begun.Load() != 1 || isClosed(s.Done()) {
		t.Errorf("%d restarts; Done is closed: %v", p.begun.Load(), isClosed(s.Done()))
	}
}

// TestReplacedProgramsThatDoNotStart shows that the service must then end, as when PostgreSQL
// ends by itself.
func TestReplacedProgramsThatDoNotStart(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	i, p := storetest.CopyPrograms(t), &pauses{}
	cfg := config(t)
	cfg.BinDir = i.BinDir
	s := start(t, embeddedpg.WithLooks(cfg, 10*time.Millisecond, 20*time.Millisecond))
	s.FollowPrograms(p.pause)
	i.ReplaceServer("[ \"$1\" = --version ] || exit 1")
	closed(t, "Done", s.Done())
	if p.begun.Load() != 1 || p.ended.Load() != 1 {
		t.Errorf("%d pauses, %d of them ended", p.begun.Load(), p.ended.Load())
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return text
}
