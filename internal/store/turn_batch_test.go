package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// inSession is a begin of a session of its own.
func inSession(b *store.Begin, session string) { b.Session = session }

// TestBatchBeginsWhatIsPlain: what a batch begins, it begins as a statement of its own would. What it leaves alone has changed nothing.
func TestBatchBeginsWhatIsPlain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	plain := storetest.Seed(t, s, storetest.Options{})
	for range 3 {
		answered(t, s, plain.Key, func(b *store.Begin) { inSession(b, "known") })
	}
	user := "ada"
	for name, c := range map[string]struct {
		options storetest.Options
		prepare func(f storetest.Fixture)
		change  func(*store.Begin)
		// plain is begun by the batch; the others have this outcome alone.
		plain bool
		alone store.Outcome
	}{
		"new session":         {plain: true},
		"an end user":         {change: func(b *store.Begin) { b.UserID = &user }, plain: true},
		"idempotency key":     {change: func(b *store.Begin) { b.IdempotencyKey = "k" }, plain: true},
		"the last credit":     {options: storetest.Options{Credits: 1}, plain: true},
		"no credits":          {options: storetest.Options{Credits: -1}, alone: store.InsufficientCredits},
		"a draft":             {options: storetest.Options{Draft: true}, alone: store.Draft},
		"another model":       {options: storetest.Options{Model: "sandbox/other"}, alone: store.ModelWithdrawn},
		"unavailable model":   {change: func(b *store.Begin) { b.UnavailableModels = b.Models }, alone: store.ModelUnavailable},
		"unknown key":         {change: func(b *store.Begin) { b.Key[0] ^= 1 }, alone: store.Unauthorized},
		"a variable":          {options: storetest.Options{Variables: []agent.Variable{{Name: "x", Required: true}}, Instructions: "{{x}}"}, alone: store.VariableMissing},
		"busy":                {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, alone: store.Busy},
		"of another user":     {prepare: func(f storetest.Fixture) { answered(t, s, f.Key, nil) }, change: func(b *store.Begin) { b.UserID = &user }, alone: store.OtherUser},
		"replay":              {prepare: func(f storetest.Fixture) { answered(t, s, f.Key, withKey) }, change: withKey, alone: store.Replay},
		"a suspended account": {prepare: func(f storetest.Fixture) { storetest.SetAccountState(t, s, f.Account.ID, account.Suspended) }, alone: store.Unauthorized},
		"paused": {prepare: func(f storetest.Fixture) {
			exec(t, s, `UPDATE api_exports SET paused_at = now() WHERE id = $1`, f.Export.ID)
		}, alone: store.ExportPaused},
		"expired": {prepare: func(f storetest.Fixture) {
			exec(t, s, `UPDATE api_exports SET expires_at = now() WHERE id = $1`, f.Export.ID)
		}, alone: store.Unauthorized},
		"removed":       {prepare: func(f storetest.Fixture) { exec(t, s, `UPDATE api_keys SET removed_at = now() WHERE id = $1`, f.KeyID) }, alone: store.Unauthorized},
		"over its rate": {options: storetest.Options{RatePerMinute: 1}, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, alone: store.RateLimited},
		"user required": {prepare: func(f storetest.Fixture) { limit(t, s, f, agent.ExportChanges{RequireUserID: setTo(true)}) }, alone: store.UserMissing},
		"limited":       {prepare: func(f storetest.Fixture) { limit(t, s, f, kinds(5)[store.Day]) }, alone: store.Begun},
	} {
		t.Run(name, func(t *testing.T) {
			f := storetest.Seed(t, s, c.options)
			if c.prepare != nil {
				c.prepare(f)
			}
			odd, known := newBegin(f.Key), newBegin(plain.Key)
			inSession(&known, "known")
			if c.change != nil {
				c.change(&odd)
			}
			got, err := s.BeginMany(t.Context(), []store.Begin{known, odd})
			if err != nil {
				t.Fatal(err)
			}
			if c.alone != store.ModelUnavailable { // the list is one for all
				if got[0] == nil || got[0].Outcome != store.Begun || got[0].Number < 4 || len(got[0].History) < 3 {
					t.Fatalf("the plain one: %+v", got[0])
				}
				finish(t, s, known.TurnID, conversation.Answered)
			}
			if c.plain {
				if got[1] == nil || got[1].Outcome != store.Begun || got[1].Number != 1 || got[1].Price != 1 || got[1].Caller.KeyID != f.KeyID ||
					got[1].Available != f.Account.CreditBalance || got[1].Instructions != f.Agent.Instructions {
					t.Fatalf("got %+v", got[1])
				}
				if again := begin(t, s, f.Key, c.change); again.Outcome != store.Busy && again.Outcome != store.InProgress {
					t.Errorf("then %s", again.Outcome)
				}
				return
			}
			if got[1] != nil {
				t.Fatalf("got %+v", got[1])
			}
			if alone := begin(t, s, f.Key, c.change); alone.Outcome != c.alone {
				t.Errorf("alone %s, want %s", alone.Outcome, c.alone)
			}
		})
	}
	clean(t, s)
}

func withKey(b *store.Begin) { b.IdempotencyKey = "k" }

// TestBatchSpendsInOrder: of the messages of one account, those that its credits and its rate cover begin, the first ones first.
func TestBatchSpendsInOrder(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, o := range map[string]storetest.Options{"credits": {Credits: 3}, "rate": {RatePerMinute: 3}} {
		f := storetest.Seed(t, s, o)
		var items []store.Begin
		for i := range 5 {
			items = append(items, newBegin(f.Key))
			inSession(&items[i], fmt.Sprint("s", i))
		}
		got, err := s.BeginMany(t.Context(), items)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range got {
			if (row != nil) != (i < 3) || row != nil && row.Outcome != store.Begun {
				t.Errorf("%s: message %d: %+v", name, i, row)
			}
			if row != nil && o.RatePerMinute > 0 {
				if ahead := row.Caller.RateAhead.Round(time.Second); ahead != time.Duration(i+1)*20*time.Second {
					t.Errorf("message %d: %v ahead", i, ahead)
				}
			}
		}
	}
	clean(t, s)
}

// TestBatchWithoutPreparedStatements: the driver alone then knows the types of parameters, as behind a pooler of transactions.
func TestBatchWithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("default_query_exec_mode", "exec")
	address.RawQuery = query.Encode()
	s := storetest.Open(t, address.String())
	f := storetest.Seed(t, s, storetest.Options{})
	var begins []store.Begin
	var settlements []store.Settlement
	for i := range 3 {
		begins = append(begins, newBegin(f.Key))
		inSession(&begins[i], fmt.Sprint("s", i))
		settlements = append(settlements, store.Settlement{TurnID: begins[i].TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	}
	begun, err := s.BeginMany(t.Context(), begins)
	if err != nil || slices.Contains(begun, nil) {
		t.Errorf("begun: %v %v", begun, err)
	}
	settled, err := s.FinishMany(t.Context(), settlements)
	if err != nil || slices.Contains(settled, nil) {
		t.Errorf("settled: %v %v", settled, err)
	}
	clean(t, s)
}

// TestBatchSettles: the history rows of a batch have the numbers and balances that turns settled one after the other have. What is not
// pending, or was deleted meanwhile, is left alone.
func TestBatchSettles(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	var items []store.Settlement
	for i := range 5 {
		begin(t, s, f.Key, func(b *store.Begin) {
			inSession(b, fmt.Sprint("s", i))
			items = append(items, store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: fmt.Sprint("reply ", i), FinishReason: "stop"})
		})
	}
	finish(t, s, items[0].TurnID, conversation.Failed)
	exec(t, s, `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`, items[1].TurnID)
	items = append(items, store.Settlement{TurnID: uuid.New(), Reply: "hi", FinishReason: "stop"})
	got, err := s.FinishMany(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range got {
		if settled := i >= 2 && i < 5; (row != nil) != settled || settled && (row.Outcome != store.Settled || row.CreditsRemaining != 6) {
			t.Errorf("turn %d: %+v", i, row)
		}
	}
	rows, err := s.DB().QueryContext(t.Context(), `SELECT e.number, e.balance_after, t.reply FROM credit_entries e JOIN turns t ON t.id = e.turn_id
		WHERE e.kind = 'CHARGE' ORDER BY e.number`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var entries []string
	for rows.Next() {
		var number, balance int64
		var reply string
		if err := rows.Scan(&number, &balance, &reply); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, fmt.Sprint(number, " ", balance, " ", reply))
	}
	if want := "2 9 reply 2,3 8 reply 3,4 7 reply 4"; rows.Err() != nil || strings.Join(entries, ",") != want {
		t.Errorf("%q, want %q", entries, want)
	}
	finish(t, s, items[1].TurnID, conversation.Answered)
	clean(t, s)
}

// batches counts the statements of batches.
type batches struct{ n atomic.Int64 }

func (b *batches) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.HasPrefix(data.SQL, "-- begin_batch") {
		b.n.Add(1)
	}
	return ctx
}

func (b *batches) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestBatchesOverTwoStores: two processes with the same accounts, whose credits run out, answer exactly what the credits cover.
func TestBatchesOverTwoStores(t *testing.T) {
	t.Parallel()
	url, counted := storetest.URL(t), &batches{}
	var stores []*store.Store
	for range 2 {
		s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: counted})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		stores = append(stores, s)
	}
	const accounts, credits, callers = 4, 40, 48
	var fixtures []storetest.Fixture
	for range accounts {
		fixtures = append(fixtures, storetest.Seed(t, stores[0], storetest.Options{Credits: credits}))
	}
	var begun, refused atomic.Int64
	var work sync.WaitGroup
	for i := range callers {
		work.Go(func() {
			for j := range 10 {
				f := fixtures[(i+j)%accounts]
				if answerOne(t, stores[i%2], f, fmt.Sprint(i)) {
					begun.Add(1)
				} else {
					refused.Add(1)
				}
			}
		})
	}
	work.Wait()
	if begun.Load() != accounts*credits || refused.Load() != callers*10-accounts*credits {
		t.Errorf("%d answered, %d refused, want %d answered", begun.Load(), refused.Load(), accounts*credits)
	}
	if counted.n.Load() == 0 {
		t.Error("nothing was sent in a batch")
	}
	t.Logf("%d batches", counted.n.Load())
	clean(t, stores[0])
}

// answerOne has a message answered, and reports false when there are no credits.
func answerOne(t *testing.T, s *store.Store, f storetest.Fixture, session string) bool {
	t.Helper()
	ctx := store.ForAccount(t.Context(), f.Account.ID)
	b := newBegin(f.Key)
	inSession(&b, session)
	for {
		got, err := s.BeginTurn(ctx, b)
		switch {
		case err != nil:
			t.Error(err)
			return false
		case got.Outcome == store.InsufficientCredits:
			return false
		case got.Outcome == store.Begun:
			done, err := s.FinishTurn(ctx, store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
			if err = errors.Join(err); err != nil || done.Outcome != store.Settled {
				t.Errorf("%+v %v", done, err)
			}
			return true
		case got.Outcome != store.Retry && got.Outcome != store.RetryUnspent && got.Outcome != store.Busy:
			t.Errorf("%s", got.Outcome)
			return false
		}
		b.SpendRate = b.SpendRate && got.Outcome == store.RetryUnspent
	}
}
