package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// smallDisk is a private file system that a test can fill and empty.
type smallDisk struct{ dir, ballast string }

// newSmallDisk mounts an in-memory file system of a size in megabytes. It skips the test if the user is not root.
func newSmallDisk(t *testing.T, megabytes int) *smallDisk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	dir := filepath.Join(traversableDir(t), "disk")
	if err := os.Mkdir(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0711", megabytes)); err != nil {
		t.Skipf("this system cannot mount a file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("the file system in %s is still mounted: %v", dir, err)
			_ = syscall.Unmount(dir, syscall.MNT_DETACH)
		}
	})
	return &smallDisk{dir: dir, ballast: filepath.Join(dir, "ballast")}
}

// fill uses up all free space.
func (d *smallDisk) fill(t testing.TB) {
	t.Helper()
	file, err := os.OpenFile(d.ballast, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for piece := make([]byte, 1<<20); len(piece) >= 4096; {
		if _, err = file.Write(piece); errors.Is(err, syscall.ENOSPC) {
			piece = piece[:len(piece)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func (d *smallDisk) empty(t testing.TB) {
	t.Helper()
	if err := os.Remove(d.ballast); err != nil {
		t.Fatal(err)
	}
}

// fullDisk is a replica on a PostgreSQL whose disk is filled, with a load of chats and panel queries.
type fullDisk struct {
	t        *testing.T
	disk     *smallDisk
	database *crashableDB
	store    *store.DB
	replica  *replica
	fixture  storetest.Fixture
	http     *http.Client
	owner    *browser

	over              atomic.Bool
	answered, refused atomic.Int64
	mu                sync.Mutex
	acknowledged      []acknowledged
}

// TestDiskFull: while PostgreSQL has no disk space, no charge is made without its reply, and panel queries and chats work or fail as
// unavailable. Once there is space again, the service recovers by itself.
func TestDiskFull(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	disk := newSmallDisk(t, 200)
	f := &fullDisk{t: t, disk: disk, http: client(t), owner: newBrowser(t)}
	f.database = newCrashableDBIn(t, disk.dir, map[string]string{"max_wal_size": "64MB", "min_wal_size": "32MB", "shared_buffers": "16MB"})
	f.store = f.database.open()
	stop := auditing(t, f.store)
	f.fixture = storetest.Seed(t, f.store, storetest.Options{Credits: 1_000_000})
	f.replica = start(t, f.database.url, "MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms")
	f.owner.signedUp(f.replica, uuid.NewString()+"@example.com", ownersPassword)
	var load sync.WaitGroup
	defer func() { f.over.Store(true); load.Wait() }()
	for w := range 4 {
		load.Go(func() { f.chats(w) })
	}
	load.Go(func() { f.panel() })
	for round := range 4 {
		before, refused := f.answered.Load(), f.refused.Load()
		eventually(t, "the load is running", func() bool { return f.answered.Load() >= before+20 })
		disk.fill(t)
		eventually(t, "chats fail for lack of space", func() bool {
			disk.fill(t)                         // PostgreSQL frees space, such as old WAL files
			return f.refused.Load() >= refused+4 // each after the service has tried to settle it for a while
		})
		disk.empty(t)
		select {
		case <-f.database.server.Done(): // PostgreSQL stopped because it could not write its WAL: an operator restarts it
			f.database.stop()
			f.database.start()
		default:
		}
		emptied, before := time.Now(), f.answered.Load()
		eventually(t, "chats are answered again", func() bool { return f.answered.Load() >= before+20 })
		if took := time.Since(emptied); took > 30*time.Second {
			t.Errorf("round %d: answered again %v after there was space", round, took)
		}
	}
	f.over.Store(true)
	load.Wait()
	f.expectNoneLost()
	eventually(t, "no hold is left", func() bool { return held(t, f.store, f.fixture) == 0 })
	storetest.Audit(t, f.store)
	stop()
	_ = f.store.Close()
}

// chats sends long messages, one after another.
func (f *fullDisk) chats(worker int) {
	text := strings.Repeat("a long message ", 500)
	for i := 0; !f.over.Load(); i++ {
		key := uuid.NewString()
		session := fmt.Sprint("worker ", worker, " ", i/20)
		got, err := ask(f.t.Context(), f.http, f.replica.Chat, f.fixture.Key.Reveal(), session, text, "Idempotency-Key", key)
		switch {
		case err == nil && got.Status == http.StatusOK:
			f.mu.Lock()
			f.acknowledged = append(f.acknowledged, acknowledged{key, got.Message, got.Reply})
			f.mu.Unlock()
			f.answered.Add(1)
		case err == nil && (got.outcome() == "unavailable" && got.Header.Get("Retry-After") != "" || got.outcome() == "session_busy"):
			f.refused.Add(1)
		default:
			f.t.Errorf("with a full disk: %d %s %v", got.Status, got.Body, err)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// panel queries the panel's API.
func (f *fullDisk) panel() {
	for !f.over.Load() {
		got, err := f.owner.do(f.replica, viewerQuery, nil)
		refused := got.code() == "UNAVAILABLE" && got.Status == http.StatusServiceUnavailable
		if err != nil || got.code() != "ok" && !refused {
			f.t.Errorf("the panel, with a full disk: %v %d %s", err, got.Status, got.Raw)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// expectNoneLost expects that each reply that a caller received is stored with exactly one charge.
func (f *fullDisk) expectNoneLost() {
	f.t.Helper()
	for _, p := range f.acknowledged {
		var whole int
		if err := f.store.SQL().QueryRowContext(f.t.Context(), `SELECT count(e.id) FROM turns t JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.id = $1::uuid AND t.idempotency_key = $2 AND t.state = 'ANSWERED' AND t.reply = $3`, p.message, p.key, p.reply).
			Scan(&whole); err != nil {
			f.t.Fatal(err)
		}
		if whole != 1 {
			f.t.Errorf("reply %s is stored with %d charges", p.message, whole)
		}
	}
}
