package embeddedpg_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/testlong"
)

// turnLoad is a load of turns.
type turnLoad struct {
	t       *testing.T
	store   *store.DB
	fixture storetest.Fixture
	over    atomic.Bool
	settled atomic.Int64
}

// begin begins a turn, and retries if its connection ends.
func (l *turnLoad) begin() uuid.UUID {
	for !l.t.Failed() {
		b := turns.Begin{Key: l.fixture.Key.Hash(), Session: uuid.NewString(), Message: "hello", TurnID: uuid.Must(uuid.NewV7()),
			ConversationID: uuid.Must(uuid.NewV7()), RequestID: "upgrade", Models: []string{storetest.SandboxModel}, Prices: []int64{1},
			HoldFor: time.Hour, MaxContextBytes: 1 << 20}
		begun, err := turns.On(l.store).BeginTurn(l.t.Context(), b)
		if err == nil && begun.Outcome == turns.Begun {
			return b.TurnID
		}
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "58P01" {
			l.t.Errorf("a message did not wait for the restart: %v", err)
		}
		// It is unknown whether the turn began before its connection ended.
		_, _ = turns.On(l.store).SettleTurn(l.t.Context(),
			turns.Settlement{TurnID: b.TurnID, State: conversation.Failed, ErrorCode: "unavailable"})
	}
	return uuid.Nil
}

// settle settles a turn as the service does: it retries for 20 s.
func (l *turnLoad) settle(id uuid.UUID) {
	for began := time.Now(); !l.t.Failed(); {
		done, err := turns.On(l.store).SettleTurn(l.t.Context(),
			turns.Settlement{TurnID: id, State: conversation.Answered, Reply: "hi",
				FinishReason: "stop"})
		if err == nil && (done.Outcome == turns.Settled || done.Outcome == turns.AlreadyAnswered) {
			l.settled.Add(1)
			return
		}
		if time.Since(began) > 20*time.Second {
			l.t.Errorf("a reply is lost: %v %v", done.Outcome, err)
		}
	}
}

func (l *turnLoad) run() {
	for !l.over.Load() {
		l.settle(l.begin())
	}
}

// TestUpgradeUnderLoad replaces PostgreSQL's files while turns run, and ends every connection, so
// that every new one needs a file that the running server cannot load. No reply may be lost, not
// even that of a turn that runs all the time, and none may be charged twice.
func TestUpgradeUnderLoad(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	i := storetest.CopyPrograms(t)
	cfg := config(t)
	cfg.BinDir = i.BinDir
	// It looks only when a backend fails.
	server := start(t, embeddedpg.WithLooks(cfg, time.Hour, 400*time.Millisecond))
	s, err := store.Open(t.Context(), store.Config{URL: server.URL(), ApplicationName: "service"})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	must(t, s.Migrate(t.Context()))
	var missed atomic.Int64
	s.OnMissingProgram(func() {
		missed.Add(1)
		server.LookAtPrograms()
	})
	paused := make(chan time.Time, 10)
	server.FollowPrograms(func(ctx context.Context) func() {
		began, resume := time.Now(), s.Pause(ctx)
		return func() {
			resume()
			paused <- began
		}
	})
	l := &turnLoad{
		t:       t,
		store:   s,
		fixture: storetest.Seed(t, s, storetest.Options{Credits: 1_000_000, RatePerMinute: agent.MaxRatePerMinute}),
	}
	var load sync.WaitGroup
	for range 6 {
		load.Go(l.run)
	}
	defer load.Wait()
	defer l.over.Store(true)
	long := l.begin()
	more := func(n int64) {
		t.Helper()
		before := l.settled.Load()
		eventually(t, "turns are settled", func() bool {
			return t.Failed() || l.settled.Load() >= before+n
		})
	}
	more(20)
	i.ReplaceLibraries()
	do(t, server.AdminURL(),
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'service'`)
	load.Go(l.run) // all others may be about to settle
	eventually(t, "messages need a file that cannot be loaded", func() bool {
		i.ReplaceLibraries() // before the files count as complete
		return t.Failed() || missed.Load() > 12
	})
	i.ReplaceServer("")
	replaced := time.Now()
	began := <-paused
	took := time.Since(began)
	more(20)
	t.Logf("%v after the last file the service paused for %v", began.Sub(replaced), took)
	if took > 20*time.Second {
		t.Errorf("the service paused for %v, longer than settling waits", took)
	}
	l.settle(long)
	l.over.Store(true)
	load.Wait()
	storetest.Audit(t, s)
	answered := text(t, server.URL(),
		`SELECT count(*) || ' ' || (SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE') || ' ' ||
		(SELECT 1000000 - credit_balance FROM accounts) FROM turns WHERE state = 'ANSWERED'`)
	if n := l.settled.Load(); answered != fmt.Sprintf("%d %[1]d %[1]d", n) {
		t.Errorf("%d turns were settled; answered, charges and credits are %s", n, answered)
	}
}
