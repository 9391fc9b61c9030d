package store_test

import (
	"fmt"
	"strings"
	"testing"

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
		"a suspended account": {prepare: sql(`UPDATE accounts SET state = 'SUSPENDED' WHERE id = $1`), want: store.AccountSuspended},
		"paused":              {prepare: sql(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`), want: store.ExportPaused},
		"blocked":             {prepare: func(f storetest.Fixture) { block(t, s, f, user, true) }, change: func(b *store.Begin) { b.UserID = &user }, want: store.UserBlocked},
		"expired":             {prepare: sql(`UPDATE api_exports SET expires_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"removed":             {prepare: sql(`UPDATE api_keys SET removed_at = now() WHERE account_id = $1`), want: store.Unauthorized},
		"over its rate":       {options: storetest.Options{RatePerMinute: 1}, prepare: func(f storetest.Fixture) { begin(t, s, f.Key, nil) }, want: store.RateLimited},
		"its model away":      {change: unavailable, want: store.ModelUnavailable},
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
			if nobody := (store.Sender{}); (got[1].Sender == nobody) != (c.want == store.Unauthorized) {
				t.Errorf("the sender is %+v", got[1].Sender)
			}
		})
	}
	storetest.Audit(t, s)
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
		own     int // the limit of ada's own; 0 for none
		users   []*string
		want    string // of six messages, the second and the fifth through another export, which has neither rate nor limits
	}{
		"credits":     {options: storetest.Options{Credits: 3}, want: "begun begun begun insufficient_credits insufficient_credits insufficient_credits"},
		"rate":        {options: storetest.Options{RatePerMinute: 2}, want: "begun begun begun rate_limited begun rate_limited"},
		"day's limit": {limits: kinds(2)[store.Day], want: "begun begun begun limit_reached begun limit_reached"},
		"user's limit": {limits: kinds(1)[store.UserDay], users: []*string{&ada, &ada, &bob, &ada, &ada, &bob},
			want: "begun begun begun limit_reached begun limit_reached"},
		"a limit of one's own": {limits: kinds(1)[store.UserDay], own: 3, users: []*string{&ada, &ada, &bob, &ada, &ada, &bob},
			want: "begun begun begun begun limit_reached limit_reached"},
	} {
		f := storetest.Seed(t, s, c.options)
		_, _, other := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
		limit(t, s, f, c.limits)
		if c.own > 0 {
			ownLimit(t, s, f, ada, &c.own)
		}
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
	storetest.Audit(t, s)
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
	storetest.Audit(t, s)
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
