package turns_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// fullContext is the number of long messages with replies that fill a context.
const crowdAccounts, crowdSize, fullContext = 40, 64, 4

// crowd has many turns begun and settled at once, over three replicas. Each account has an export
// that may refuse, and a free one.
type crowd struct {
	*testing.T
	// first returns the rate and the limits of an account's first export, given the number of messages
	// that will be sent to it; nil for none.
	first func(i, asked int) agent.ExportChanges
	// also lists outcomes allowed besides the usual ones. The first of them must occur.
	also []turns.Outcome
	// message is the text of all messages. If it is long, one conversation of each account fills the
	// context.
	message string
	// owners makes owners and background work delete and remove rows while the chats run.
	owners bool

	stores   []*store.DB
	accounts []storetest.Fixture
	keys     [][2]apikey.Key
	// begins and settles are statements of batches, statements all of turns, and full the turns whose
	// context was.
	begins, settles, statements, full atomic.Int64
	mu                                sync.Mutex
	seen                              map[turns.Outcome]int
}

// TestTurnsNeverDeadlock: in a database without statistics, turns never deadlock, neither in
// batches nor alone. Callers would not notice a deadlock, because a transaction that was rolled
// back is retried, so the test asks the server.
func TestTurnsNeverDeadlock(t *testing.T) {
	t.Parallel()
	server := impatientServer(t)
	for name, c := range map[string]*crowd{
		"two prices": {},
		"rates": {also: []turns.Outcome{turns.RateLimited}, first: func(_, asked int) agent.ExportChanges {
			return agent.ExportChanges{RatePerMinute: storetest.SetTo(max(1, asked/2))}
		}},
		"limits": {also: []turns.Outcome{turns.LimitReached}, first: func(i, asked int) agent.ExportChanges {
			credits := max(1, int64(asked/2)) // for every other account the day's are used up first
			return agent.ExportChanges{DailyCreditLimit: storetest.SetTo(credits + int64(i/2%2)), MonthlyCreditLimit: storetest.SetTo(credits + 1 - int64(i/2%2)),
				UserDailyMessageLimit: storetest.SetTo(max(1, asked/4))}
		}},
		"long contexts": {message: strings.Repeat("text", 96<<10/fullContext/4-4)},
		"deletions beside chats": {owners: true,
			also: []turns.Outcome{turns.Unauthorized, turns.ConversationDeleted}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.T, c.seen = t, map[turns.Outcome]int{}
			c.run(server)
		})
	}
}

// impatientServer starts a server that looks for deadlocks long before a batch gives up, where by
// default it would only look after that. It never makes statistics.
func impatientServer(t *testing.T) url.URL {
	t.Helper()
	config := storetest.ClusterConfig(storetest.DataDir(t))
	config.Settings["deadlock_timeout"], config.Settings["autovacuum"] = "20ms", "off"
	server, err := embeddedpg.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(context.WithoutCancel(t.Context())) })
	address, _ := url.Parse(server.URL()) // it is well formed
	return *address
}

func (c *crowd) run(address url.URL) {
	name := fmt.Sprint("t_", rand.Uint64())
	storetest.Exec(c, storetest.Open(c, address.String()), `CREATE DATABASE `+name)
	address.Path = "/" + name
	const rounds = 3 // with fewer, not everything comes up
	seed := rand.Uint64()
	c.prepare(address.String(), rounds)
	var work sync.WaitGroup
	for i := range crowdSize {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		work.Go(func() {
			for range rounds {
				c.turn(c.stores[i%len(c.stores)], random)
			}
		})
	}
	work.Wait()
	for _, s := range c.stores {
		_ = s.Close()
	}
	c.Logf("seed %d, %d batches begun and %d settled, outcomes %v", seed, c.begins.Load(), c.settles.Load(), c.seen)
	c.check(storetest.Open(c, address.String()))
}

// prepare makes the replicas and the accounts.
func (c *crowd) prepare(address string, rounds int) {
	for range 3 {
		s, err := store.Open(c.Context(), store.Config{URL: address, Tracer: c, MaxConns: 8})
		if err != nil {
			c.Fatal(err)
		}
		c.stores = append(c.stores, s)
	}
	s := c.stores[0]
	if err := s.Migrate(c.Context()); err != nil {
		c.Fatal(err)
	}
	asked := max(1, rounds*crowdSize/crowdAccounts/2) // of an export
	for i := range crowdAccounts {
		f := storetest.Seed(c, s, storetest.Options{Model: []string{storetest.SandboxModel, "sandbox/other"}[i%2],
			Credits: int64(asked + 3*fullContext + (i+1)%8*100_000)}) // every eighth account runs out
		if c.first != nil {
			storetest.SetLimits(c.T, s, f, c.first(i, asked))
		}
		_, _, free := storetest.SeedExport(c, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
		c.accounts, c.keys = append(c.accounts, f), append(c.keys, [2]apikey.Key{f.Key, free})
		for range fullContext * min(len(c.message), 1) {
			storetest.AnswerTurn(c.T, s, free, func(b *turns.Begin) { c.say(b, 0, 0) })
		}
	}
}

// say fills in a message to one of a user's conversations.
func (c *crowd) say(b *turns.Begin, user, n int) {
	id := fmt.Sprint("user ", user)
	b.Models, b.Prices = []string{storetest.SandboxModel, "sandbox/other"}, []int64{1, 3}
	b.Message, b.UserID, b.Session = cmp.Or(c.message, "hello"), &id, fmt.Sprint(id, ", ", n)
}

// turn begins and settles a turn of any account.
func (c *crowd) turn(s *store.DB, random *rand.Rand) {
	n := random.IntN(crowdAccounts)
	ctx, b := store.ForAccount(c.Context(), c.accounts[n].Account.ID), storetest.NewBegin(c.keys[n][random.IntN(2)])
	c.say(&b, random.IntN(2), random.IntN(2))
	b.IdempotencyKey = []string{"a", "b", ""}[min(random.IntN(16), 2)]
	b.HoldFor = []time.Duration{time.Minute, time.Minute, -time.Second}[random.IntN(3)] // a reaper may come first
	got, err := turns.On(s).BeginTurn(ctx, b)
	for err == nil && got.Outcome == turns.Retry {
		got, err = turns.On(s).BeginTurn(ctx, b)
	}
	c.note(got.Outcome, err)
	c.full.Add(int64(len(got.History) / fullContext))
	if c.owners {
		c.own(ctx, s, c.accounts[random.IntN(crowdAccounts/2)], b, random.IntN(9)) // the others keep their exports
	}
	if got.Outcome == turns.Begun {
		const answered = conversation.Answered
		states := []conversation.TurnState{answered, answered, conversation.Failed, turns.Withdrawn}
		state := states[random.IntN(len(states))]
		charge := got.Price
		if random.IntN(8) == 0 {
			charge = max(charge-1, 0) // as if a cheaper model had answered
		}
		var both sync.WaitGroup
		for range 1 + random.IntN(3)/2 { // sometimes twice at once
			both.Go(func() {
				done, err := storetest.SettleFor(ctx, s, b.TurnID, state, &charge)
				c.note(done.Outcome, err)
			})
		}
		both.Wait()
	}
}

// own does what owners and background work do, or nothing.
func (c *crowd) own(ctx context.Context, s *store.DB, f storetest.Fixture, b turns.Begin, what int) {
	var err error
	switch what {
	case 0, 1:
		_, err = erasure.On(s.Panel()).DeleteConversationsBySessionID(ctx, f.Account.ID, b.Session, nil)
	case 2:
		_, err = exports.On(s.Panel()).RemoveExport(ctx, f.Account.ID, f.Export.ID)
	case 3:
		_, err = turns.On(s.Own()).ReapTurns(ctx, 10)
	case 5:
		_, err = erasure.On(s.Panel()).DeleteEndUser(ctx, f.Account.ID, *b.UserID, nil)
	case 6:
		request := storetest.RejectedRequest(c.keys[0][1])
		request.Key, request.UserID, request.SessionID = b.Key, b.UserID, &b.Session
		err = conversations.On(s.Own()).RecordRejected(ctx, slices.Repeat([]conversations.RejectedRequest{request}, 20))
	case 7:
		_, err = conversations.On(s.Panel()).SetEndUserLimit(ctx, f.Account.ID, *b.UserID, new(1_000))
		if _, taken := conversations.On(s.Panel()).SetEndUserLimit(ctx, f.Account.ID, *b.UserID, nil); err == nil {
			err = taken
		}
	case 4: // backdate recent deletions; skip locked rows, so that this never waits
		_, aged := s.Own().SQL().ExecContext(ctx, `WITH gone AS MATERIALIZED (SELECT id FROM conversations WHERE deleted_at IS NOT NULL
			FOR UPDATE SKIP LOCKED) UPDATE conversations c SET deleted_at = now() - interval '25 hours' FROM gone WHERE c.id = gone.id`)
		_, err = erasure.On(s.Own()).PurgeDeleted(ctx, 10)
		err = errors.Join(aged, err)
	}
	if err != nil {
		c.Errorf("owners' work %d: %v", what, err)
	}
}

func (c *crowd) note(got turns.Outcome, err error) {
	usual := []turns.Outcome{turns.Begun, turns.Settled, turns.Busy, turns.InsufficientCredits,
		turns.Replay, turns.InProgress, turns.AlreadyAnswered, turns.AlreadyFailed, turns.Gone}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[got]++
	if err != nil || !slices.Contains(append(usual, c.also...), got) {
		c.Errorf("%q %v", got, err)
	}
}

// TraceQueryStart counts the statements of turns. Each statement is a transaction.
func (c *crowd) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	switch {
	case isBatch(data, "begin_turns"):
		c.begins.Add(1)
	case isBatch(data, "settle_turns"):
		c.settles.Add(1)
	}
	if strings.HasPrefix(data.SQL, "SELECT * FROM begin_turns") || strings.HasPrefix(data.SQL, "SELECT * FROM settle_turns") {
		c.statements.Add(1)
	}
	return ctx
}

// TraceQueryEnd says where a deadlock was.
func (c *crowd) TraceQueryEnd(_ context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if err, ok := errors.AsType[*pgconn.PgError](data.Err); ok && err.Code == "40P01" {
		c.Errorf("%v: %s %s", err, err.Detail, err.Where)
	}
}

// check asks the server once all sessions have ended, which is when they tell it what they did.
func (c *crowd) check(s *store.DB) {
	ctx, cancel := context.WithTimeout(c.Context(), time.Minute)
	defer cancel()
	var deadlocks, analyzed, ended int
	for seen := 0; seen < 2; seen += ended { // the first time, it may have looked up deadlocks before it looked for sessions
		if err := s.SQL().QueryRowContext(ctx, `SELECT deadlocks, (SELECT count(*) FROM pg_stats WHERE schemaname = 'public'),
				(xact_commit + xact_rollback >= $1 AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a
					WHERE a.datname = d.datname AND a.application_name = 'agentchat' AND a.pid <> pg_backend_pid()))::int
				FROM pg_stat_database d WHERE datname = current_database()`, c.statements.Load()).Scan(&deadlocks, &analyzed, &ended); err != nil {
			c.Fatal("the sessions have not ended: ", err)
		}
	}
	if deadlocks != 0 || analyzed != 0 {
		c.Errorf("%d deadlocks, statistics of %d columns, want none", deadlocks, analyzed)
	}
	// While deletions run, few turns end at the same moment, and on a busy machine none do.
	settled := c.settles.Load() > 0 || c.owners
	if c.begins.Load() == 0 || !settled || len(c.also) > 0 && c.seen[c.also[0]] == 0 || c.message != "" && c.full.Load() == 0 {
		c.Errorf("no batches, no message was refused, or no context was full (%d were)", c.full.Load())
	}
	storetest.Audit(c, s)
}
