package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// inSession is a begin of a session of its own.
func inSession(b *store.Begin, session string) { b.Session = session }

// TestRefusalsBesideOthers: in a call with another account's message, each outcome is what it is alone. The other message begins.
func TestRefusalsBesideOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet := storetest.Seed(t, s, storetest.Options{})
	for range 3 {
		answered(t, s, quiet.Key, func(b *store.Begin) { inSession(b, "known") })
	}
	user := "ada"
	sql := func(query string) func(f storetest.Fixture) {
		return func(f storetest.Fixture) { exec(t, s, query, f.Account.ID) }
	}
	for name, c := range map[string]struct {
		options storetest.Options
		prepare func(f storetest.Fixture)
		change  func(*store.Begin)
		want    store.Outcome
	}{
		"new session":         {want: store.Begun},
		"an end user":         {change: func(b *store.Begin) { b.UserID = &user }, want: store.Begun},
		"idempotency key":     {change: withKey, want: store.Begun},
		"the last credit":     {options: storetest.Options{Credits: 1}, want: store.Begun},
		"no credits":          {options: storetest.Options{Credits: -1}, want: store.InsufficientCredits},
		"a draft":             {options: storetest.Options{Draft: true}, want: store.Draft},
		"another model":       {options: storetest.Options{Model: "sandbox/other"}, want: store.ModelWithdrawn},
		"unknown key":         {change: func(b *store.Begin) { b.Key[0] ^= 1 }, want: store.Unauthorized},
		"a variable":          {options: storetest.Options{Variables: []agent.Variable{{Name: "x", Required: true}}, Instructions: "{{x}}"}, want: store.VariableMissing},
		"busy":                {prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, want: store.Busy},
		"of another user":     {prepare: func(f storetest.Fixture) { answered(t, s, f.Key, nil) }, change: func(b *store.Begin) { b.UserID = &user }, want: store.OtherUser},
		"replay":              {prepare: func(f storetest.Fixture) { answered(t, s, f.Key, withKey) }, change: withKey, want: store.Replay},
		"a suspended account": {prepare: sql(`UPDATE accounts SET state = 'SUSPENDED' WHERE id = $1`), want: store.Unauthorized},
		"paused":              {prepare: sql(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`), want: store.ExportPaused},
		"expired":             {prepare: sql(`UPDATE api_exports SET expires_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"removed":             {prepare: sql(`UPDATE api_keys SET removed_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"over its rate":       {options: storetest.Options{RatePerMinute: 1}, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, want: store.RateLimited},
		"user required":       {prepare: func(f storetest.Fixture) { limit(t, s, f, agent.ExportChanges{RequireUserID: setTo(true)}) }, want: store.UserMissing},
		"limited":             {prepare: func(f storetest.Fixture) { limit(t, s, f, kinds(5)[store.Day]) }, want: store.Begun},
	} {
		t.Run(name, func(t *testing.T) {
			f := storetest.Seed(t, s, c.options)
			if c.prepare != nil {
				c.prepare(f)
			}
			odd, known := newBegin(f.Key), newBegin(quiet.Key)
			inSession(&known, "known")
			if c.change != nil {
				c.change(&odd)
			}
			got, err := s.BeginTurns(t.Context(), known, odd)
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Outcome != store.Begun || got[0].Number < 4 || len(got[0].History) < 3 {
				t.Errorf("the quiet one: %+v", got[0])
			}
			finish(t, s, known.TurnID, conversation.Answered)
			if got[1].Outcome != c.want {
				t.Fatalf("got %s, want %s", got[1].Outcome, c.want)
			}
			if nobody := (store.Caller{}); (got[1].Caller == nobody) != (c.want == store.Unauthorized) {
				t.Errorf("the caller is %+v", got[1].Caller)
			}
		})
	}
	clean(t, s)
}

func withKey(b *store.Begin) { b.IdempotencyKey = "k" }

// TestSpentInOrder: of the messages of one account in a call, those that its credits, its rates and its limits cover begin, in the order of
// their arrival, whichever exports they came through. A refusal says what is left after those.
func TestSpentInOrder(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ada, bob := "ada", "bob"
	for name, c := range map[string]struct {
		options storetest.Options
		limits  agent.ExportChanges
		users   []*string
		want    string // of six messages, the second and the fifth through another export, which has neither rate nor limits
	}{
		"credits":     {options: storetest.Options{Credits: 3}, want: "begun begun begun insufficient_credits insufficient_credits insufficient_credits"},
		"rate":        {options: storetest.Options{RatePerMinute: 2}, want: "begun begun begun rate_limited begun rate_limited"},
		"day's limit": {limits: kinds(2)[store.Day], want: "begun begun begun limit_reached begun limit_reached"},
		"user's limit": {limits: kinds(1)[store.UserDay], users: []*string{&ada, &ada, &bob, &ada, &ada, &bob},
			want: "begun begun begun limit_reached begun limit_reached"},
	} {
		f := storetest.Seed(t, s, c.options)
		_, _, other := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
		limit(t, s, f, c.limits)
		var items []store.Begin
		for i := range 6 {
			key := f.Key
			if i == 1 || i == 4 {
				key = other
			}
			b := newBegin(key)
			if inSession(&b, fmt.Sprint("s", i)); c.users != nil {
				b.UserID = c.users[i]
			}
			items = append(items, b)
		}
		got, err := s.BeginTurns(t.Context(), items...)
		if err != nil {
			t.Fatal(name, err)
		}
		var outcomes []string
		left := f.Account.CreditBalance
		for i, row := range got {
			outcomes = append(outcomes, string(row.Outcome))
			if row.Available != left {
				t.Errorf("%s: message %d: %d credits available, want %d", name, i, row.Available, left)
			}
			if row.Outcome == store.Begun {
				left--
			}
			if row.Outcome == store.LimitReached && (row.Limit == nil || row.Limit.Used != row.Limit.Allowed) {
				t.Errorf("%s: message %d: %+v", name, i, row.Limit)
			}
		}
		if got := strings.Join(outcomes, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	clean(t, s)
}

// TestOneCallOfAnAttacker: whatever one account sends, a call that others share is never undone: what the function can see is a refusal.
func TestOneCallOfAnAttacker(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet, f := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{Credits: 3})
	limit(t, s, f, kinds(2)[store.Day])
	_, _, second := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
	answered(t, s, f.Key, func(b *store.Begin) { inSession(b, "known") })
	message := func(key apikey.Key, session, idempotency, text string) store.Begin {
		b := newBegin(key)
		b.Session, b.IdempotencyKey = session, idempotency
		b.Fingerprint = conversation.Body{Message: text, Session: &session}.Fingerprint()
		return b
	}
	one := newBegin(quiet.Key)
	items, want := []store.Begin{one}, []store.Outcome{store.Begun}
	for _, c := range []struct {
		b    store.Begin
		want store.Outcome
	}{
		{message(f.Key, "known", "", ""), store.Begun},
		{message(second, "known", "", ""), store.Busy}, // through two exports, which no lock keeps apart
		{message(second, "new", "k", "a"), store.Begun},
		{message(f.Key, "new", "", ""), store.Busy},
		{message(f.Key, "new", "k", "a"), store.InProgress},
		{message(second, "other", "k", "b"), store.KeyReused},
		{message(f.Key, "other", "", ""), store.InsufficientCredits},
	} {
		items, want = append(items, c.b), append(want, c.want)
	}
	got, err := s.BeginTurns(t.Context(), items...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].Outcome != want[i] {
			t.Errorf("message %d: %s, want %s", i, got[i].Outcome, want[i])
		}
	}
	clean(t, s)
}

// TestAConversationChangesBesideACall: what others do to one message's conversation while the call waits for it is seen, and undoes nothing.
func TestAConversationChangesBesideACall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet, f := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	for name, c := range map[string]struct {
		change string
		number int64
	}{
		"deleted": {`UPDATE conversations SET deleted_at = now() WHERE session_id = $1`, 1},
		"longer":  {`UPDATE conversations SET turn_count = turn_count + 1 WHERE session_id = $1`, 3},
	} {
		answered(t, s, f.Key, func(b *store.Begin) { inSession(b, name) })
		got, err := begunBesideChange(t, s, quiet, f, c.change, name)
		for fault.Is(err, fault.Unavailable) && t.Context().Err() == nil { // the call has waited as long as it may
			got, err = begunBesideChange(t, s, quiet, f, c.change, name)
		}
		if err != nil || got[0].Outcome != store.Begun || got[1].Outcome != store.Begun || got[1].Number != c.number {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// begunBesideChange begins a turn of each account in one call, which waits while a conversation is changed.
func begunBesideChange(t *testing.T, s *store.Store, quiet, f storetest.Fixture, change, session string) ([]store.BeginResult, error) {
	t.Helper()
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), change, session); err != nil {
		t.Fatal(err)
	}
	one, other := newBegin(quiet.Key), newBegin(f.Key)
	inSession(&one, one.TurnID.String())
	inSession(&other, session)
	var got []store.BeginResult
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = s.BeginTurns(t.Context(), one, other)
	}()
	for waits := 0; waits == 0; {
		select {
		case <-done:
			return got, err
		default:
		}
		if err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if txErr := tx.Commit(); txErr != nil {
		t.Fatal(txErr)
	}
	<-done
	return got, err
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
	begun, err := s.BeginTurns(t.Context(), begins...)
	if err != nil || slices.ContainsFunc(begun, func(b store.BeginResult) bool { return b.Outcome != store.Begun }) {
		t.Errorf("begun: %v %v", begun, err)
	}
	settled, err := s.SettleTurns(t.Context(), settlements...)
	if err != nil || slices.ContainsFunc(settled, func(f store.SettleResult) bool { return f.Outcome != store.Settled }) {
		t.Errorf("settled: %v %v", settled, err)
	}
	clean(t, s)
}

// TestSettledTogether: the history rows of a call have the numbers and balances that turns settled one after the other have, whatever
// became of the others.
func TestSettledTogether(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	var items []store.Settlement
	for i := range 7 {
		begin(t, s, f.Key, func(b *store.Begin) {
			inSession(b, fmt.Sprint("s", i))
			n := int64(i)
			items = append(items, store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: fmt.Sprint("reply ", i),
				FinishReason: fmt.Sprint("reason ", i), InputTokens: &n, OutputTokens: new(n + 10)})
		})
	}
	finish(t, s, items[0].TurnID, conversation.Failed)
	for i := 1; i < 3; i++ {
		exec(t, s, `UPDATE turns SET deleted_at = now(), message = '' WHERE id = $1`, items[i].TurnID)
	}
	items[2].Sent = true
	items[4] = store.Settlement{TurnID: items[4].TurnID, State: conversation.Failed, ErrorCode: "model_error"}
	items = append(items, store.Settlement{TurnID: uuid.New(), State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	got, err := s.SettleTurns(t.Context(), items...)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []store.SettleResult{
		{Outcome: store.AlreadyFailed, CreditsRemaining: 4, ErrorCode: "model_error"},
		{Outcome: store.Settled, CreditsRemaining: 5, ErrorCode: "conversation_deleted"},
		{Outcome: store.Settled, CreditsRemaining: 5},
		{Outcome: store.Settled, CreditsRemaining: 5},
		{Outcome: store.Settled, CreditsRemaining: 6, ErrorCode: "model_error"},
		{Outcome: store.Settled, CreditsRemaining: 6},
		{Outcome: store.Settled, CreditsRemaining: 6},
		{Outcome: store.Gone},
	} {
		if got[i] != want {
			t.Errorf("turn %d: %+v, want %+v", i, got[i], want)
		}
	}
	rows, err := s.DB().QueryContext(t.Context(), `SELECT e.number, e.balance_after, coalesce(t.reply, 'none') FROM credit_entries e JOIN turns t ON t.id = e.turn_id
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
	if want := "2 9 none,3 8 reply 3,4 7 reply 5,5 6 reply 6"; rows.Err() != nil || strings.Join(entries, ",") != want {
		t.Errorf("%q, want %q", entries, want)
	}
	for i := range items {
		if got[i].Outcome != store.Settled || got[i].ErrorCode != "" || i == 2 { // the third was deleted, and stored no reply
			continue
		}
		stored, err := s.StoredReply(t.Context(), f.Account.ID, items[i].TurnID)
		want := store.StoredReply{TurnID: items[i].TurnID, SessionID: fmt.Sprint("s", i), Reply: items[i].Reply, FinishReason: items[i].FinishReason,
			Model: storetest.SandboxModel, Version: 1, Price: 1, CreditsRemaining: got[i].CreditsRemaining,
			InputTokens: items[i].InputTokens, OutputTokens: items[i].OutputTokens}
		if err != nil || !reflect.DeepEqual(stored, want) {
			t.Errorf("turn %d: %+v %v, want %+v", i, stored, err, want)
		}
	}
	clean(t, s)
}

// TestATurnTwiceInACall: it is undone, rather than released twice.
func TestATurnTwiceInACall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var id uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { id = b.TurnID })
	begin(t, s, f.Key, func(b *store.Begin) { inSession(b, "other") })
	failed := store.Settlement{TurnID: id, State: conversation.Failed, ErrorCode: "model_error"}
	if got, err := s.SettleTurns(t.Context(), failed, failed); err == nil {
		t.Errorf("settled: %+v", got)
	}
	if balance, held := credits(t, s, f.Account.ID); balance != 100 || held != 2 {
		t.Errorf("balance %d, held %d, want 100 and 2", balance, held)
	}
	clean(t, s)
}

// batches counts the statements of batches.
type batches struct{ n atomic.Int64 }

func (b *batches) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if isBatch(data, "begin_turns") {
		b.n.Add(1)
	}
	return ctx
}

// isBatch reports whether a statement calls a function of turns for several items.
func isBatch(data pgx.TraceQueryStartData, function string) bool {
	if !strings.HasPrefix(data.SQL, "SELECT * FROM "+function) {
		return false
	}
	return slices.ContainsFunc(data.Args, func(arg any) bool {
		ids, ok := arg.([]uuid.UUID)
		return ok && len(ids) > 1
	})
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
			done, err := s.SettleTurn(ctx, store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
			if err = errors.Join(err); err != nil || done.Outcome != store.Settled {
				t.Errorf("%+v %v", done, err)
			}
			return true
		case got.Outcome != store.Retry && got.Outcome != store.Busy:
			t.Errorf("%s", got.Outcome)
			return false
		}
	}
}
