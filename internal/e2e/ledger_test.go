package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestLedgerUnderMixedLoad: during chats, failures, retries, disconnects, grants, removals and deletions over two replicas, the ledger
// is exact in every snapshot. Each round has its own database, which stays small enough for a snapshot every 100 ms.
func TestLedgerUnderMixedLoad(tt *testing.T) {
	faults.Heavy(tt) // TestBatchesChangeNothing and the soak load the ledger too
	tt.Parallel()
	t := newRow(tt, "M2")
	const length = 3 * time.Second
	var audits int
	var calls int64
	random := t.random()
	for range faults.Times(1, 20) {
		p := newPair(t)
		stop := t.audit(p.store)
		calls += p.mixedLoad(t, random, length)
		n := stop()
		audits += n
		t.ran(n)
		for _, r := range p.replicas {
			r.kill()
		}
		_ = p.store.Close()
	}
	drift := map[bool]string{false: "drift 0", true: "drift or an error"}[t.Failed()]
	t.measured("%s in %d snapshots beside %d calls", drift, audits, calls)
}

// mixedLoad changes the ledger in every way for a while, waits until all turns are settled, and returns the number of calls.
func (p *pair) mixedLoad(t *faultRow, random *rand.Rand, length time.Duration) int64 {
	t.Helper()
	c, fixtures := client(t), make([]storetest.Fixture, 4)
	for i := range fixtures {
		fixtures[i] = storetest.Seed(t, p.store, storetest.Options{Credits: 300})
	}
	var over atomic.Bool
	var calls atomic.Int64
	var load sync.WaitGroup
	for w := range 8 {
		choice := rand.New(rand.NewPCG(random.Uint64(), 0))
		load.Go(func() {
			for n := 0; !over.Load(); n++ {
				fixture := fixtures[choice.IntN(len(fixtures))]
				if err := p.changeAccount(t, choice, fixture, n); err != nil {
					t.Errorf("worker %d: %v", w, err)
					return
				}
				message := []string{"hello", "[[sandbox delay=5ms]]", "[[sandbox fail=error]]", "[[sandbox fail=panic]]"}[choice.IntN(4)]
				ctx, leave := context.WithCancel(t.Context())
				if choice.IntN(5) == 0 {
					time.AfterFunc(time.Duration(choice.IntN(8))*time.Millisecond, leave)
				}
				_, _ = ask(ctx, c, p.chat(choice.IntN(2)), fixture.Key.Reveal(), fmt.Sprint("s", choice.IntN(3)), message,
					"Idempotency-Key", fmt.Sprint("k", choice.IntN(200)))
				leave()
				calls.Add(1)
			}
		})
	}
	<-time.After(length)
	over.Store(true)
	load.Wait()
	eventually(t, "all turns are settled", func() bool {
		var pending int
		err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'PENDING'`).Scan(&pending)
		return err == nil && pending == 0
	})
	storetest.Audit(t, p.store)
	return calls.Load()
}

// changeAccount sometimes changes an account during the load: it grants credits, deletes a conversation, or removes a new export.
func (p *pair) changeAccount(t testing.TB, choice *rand.Rand, fixture storetest.Fixture, n int) error {
	t.Helper()
	switch choice.IntN(20) {
	case 0:
		_, err := p.store.GrantCredits(t.Context(), store.Grant{AccountID: fixture.Account.ID, Amount: 5, Reference: fmt.Sprint(n, choice.Uint64())})
		return err
	case 1:
		var id uuid.UUID
		if p.store.DB().QueryRowContext(t.Context(), `SELECT id FROM conversations WHERE account_id = $1 AND deleted_at IS NULL LIMIT 1`,
			fixture.Account.ID).Scan(&id) == nil {
			_ = p.store.DeleteConversation(t.Context(), fixture.Account.ID, id) // another worker may have deleted it first
		}
	case 2:
		export, _, _ := storetest.SeedExport(t, p.store, fixture.Account.ID, fixture.Agent.ID, 600)
		_, err := p.store.RemoveExport(t.Context(), fixture.Account.ID, export.ID)
		return err
	}
	return nil
}

// TestEachHoldIsResolvedOnce: a settlement, a release and the reaper race for each hold, around its deadline by the database's clock.
func TestEachHoldIsResolvedOnce(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "M6")
	holds := faults.Times(300, 10_000)
	url := storetest.URL(t)
	stores := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	s := stores[0]
	t.audit(s)
	f := storetest.Seed(t, s, storetest.Options{Credits: int64(holds)})
	over, reaping := make(chan struct{}), sync.WaitGroup{}
	var reaped atomic.Int64
	for _, replica := range stores {
		reaping.Go(func() {
			tick := time.NewTicker(2 * time.Millisecond)
			defer tick.Stop()
			for {
				n, err := replica.ReapTurns(t.Context(), 100)
				if err != nil {
					t.Errorf("reap: %v", err)
					return
				}
				reaped.Add(int64(n))
				select {
				case <-tick.C:
				case <-over:
					return
				}
			}
		})
	}
	outcomes := parallel(8, holds, func(i int) string {
		choice := rand.New(rand.NewPCG(t.record.Seed, uint64(i)))
		return raceForHold(t, stores, f, choice)
	})
	eventually(t, "no hold is left", func() bool { return held(t, s, f) == 0 })
	close(over)
	reaping.Wait()
	if doubles := outcomes["2"] + outcomes["error"]; doubles > 0 {
		t.Errorf("%v", outcomes)
	}
	var early, answered int64
	if err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE error_code = 'unavailable' AND settled_at < deadline),
		count(*) FILTER (WHERE state = 'ANSWERED') FROM turns`).Scan(&early, &answered); err != nil {
		t.Fatal(err)
	}
	a, err := s.Account(t.Context(), f.Account.ID)
	if err != nil || a.CreditBalance != int64(holds)-answered || early > 0 || outcomes["0"] != int(reaped.Load()) {
		t.Errorf("balance %d after %d of %d were answered; %d reaped before their deadline; %d reaped, %v, %v",
			a.CreditBalance, answered, holds, early, reaped.Load(), outcomes, err)
	}
	storetest.Audit(t, s)
	t.ran(holds)
	t.measured("%d resolved twice; %d settled by one of two calls, %d by the reaper, none before its deadline", outcomes["2"], outcomes["1"], outcomes["0"])
}

// raceForHold begins a turn whose deadline is about to pass, settles and releases it at the same time, and returns how many of the
// two calls resolved it.
func raceForHold(t *faultRow, stores []*store.Store, f storetest.Fixture, choice *rand.Rand) string {
	id := uuid.Must(uuid.NewV7())
	begun, err := stores[choice.IntN(2)].BeginTurn(t.Context(), store.Begin{
		Key: f.Key.Hash(), SpendRate: true, Models: []string{storetest.SandboxModel}, Prices: []int64{1}, Session: id.String(),
		Message: "hello", TurnID: id, ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Duration(choice.IntN(12)) * time.Millisecond,
		RequestID: "r", MaxContextBytes: 1 << 10,
	})
	if err != nil || begun.Outcome != store.Begun {
		t.Errorf("begin: %s %v", begun.Outcome, err)
		return "error"
	}
	<-time.After(time.Duration(choice.IntN(12)) * time.Millisecond)
	var settled atomic.Int64
	var race sync.WaitGroup
	for i, in := range []store.Settlement{
		{TurnID: id, State: conversation.Answered, Reply: "reply", FinishReason: "stop"},
		{TurnID: id, State: conversation.Failed, ErrorCode: "model_error"},
	} {
		race.Go(func() {
			for {
				got, err := stores[i].SettleTurn(t.Context(), in)
				if err == nil && got.Outcome == store.Retry {
					continue
				}
				if err != nil {
					t.Errorf("finish: %v", err)
				} else if got.Outcome == store.Settled {
					settled.Add(1)
				}
				return
			}
		})
	}
	race.Wait()
	return fmt.Sprint(settled.Load())
}
