package turns_test

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
	"agentchat/internal/store/turns"
)

// inSession is a begin of a session of its own.
func inSession(b *turns.Begin, session string) { b.Session = session }

// TestRefusalsBesideOthers: in a call with another account's message, each outcome is the same as
// in a call of its own. The other message begins.
func TestRefusalsBesideOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet := storetest.Seed(t, s, storetest.Options{})
	for range 3 {
		storetest.AnswerTurn(t, s, quiet.Key, func(b *turns.Begin) { inSession(b, "known") })
	}
	user := "ada"
	sql := func(query string) func(f storetest.Fixture) {
		return func(f storetest.Fixture) { storetest.Exec(t, s, query, f.Account.ID) }
	}
	for name, c := range map[string]struct {
		options storetest.Options
		prepare func(f storetest.Fixture)
		change  func(*turns.Begin)
		want    turns.Outcome
	}{
		"new session":         {want: turns.Begun},
		"an end user":         {change: func(b *turns.Begin) { b.UserID = &user }, want: turns.Begun},
		"idempotency key":     {change: withKey, want: turns.Begun},
		"the last credit":     {options: storetest.Options{Credits: 1}, want: turns.Begun},
		"no credits":          {options: storetest.Options{Credits: -1}, want: turns.InsufficientCredits},
		"a draft":             {options: storetest.Options{Draft: true}, want: turns.Draft},
		"another model":       {options: storetest.Options{Model: "sandbox/other"}, want: turns.ModelWithdrawn},
		"unknown key":         {change: func(b *turns.Begin) { b.Key[0] ^= 1 }, want: turns.Unauthorized},
		"a variable":          {options: storetest.Options{Variables: []agent.Variable{{Name: "x", Required: true}}, Instructions: "{{x}}"}, want: turns.VariableMissing},
		"busy":                {prepare: func(f storetest.Fixture) { storetest.BeginTurn(t, s, f.Key, nil) }, want: turns.Busy},
		"of another user":     {prepare: func(f storetest.Fixture) { storetest.AnswerTurn(t, s, f.Key, nil) }, change: func(b *turns.Begin) { b.UserID = &user }, want: turns.OtherUser},
		"replay":              {prepare: func(f storetest.Fixture) { storetest.AnswerTurn(t, s, f.Key, withKey) }, change: withKey, want: turns.Replay},
		"a suspended account": {prepare: sql(`UPDATE accounts SET state = 'SUSPENDED' WHERE id = $1`), want: turns.AccountSuspended},
		"paused":              {prepare: sql(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`), want: turns.ExportPaused},
		"blocked":             {prepare: func(f storetest.Fixture) { storetest.Block(t, s, f, user, true) }, change: func(b *turns.Begin) { b.UserID = &user }, want: turns.UserBlocked},
		"expired":             {prepare: sql(`UPDATE api_exports SET expires_at = now() WHERE account_id = $1`), want: turns.Unauthorized},
		"removed":             {prepare: sql(`UPDATE api_keys SET removed_at = now() WHERE account_id = $1`), want: turns.Unauthorized},
		"over its rate":       {options: storetest.Options{RatePerMinute: 1}, prepare: func(f storetest.Fixture) { storetest.BeginTurn(t, s, f.Key, nil) }, want: turns.RateLimited},
		"its model away":      {change: unavailable, want: turns.ModelUnavailable},
		"user required": {prepare: func(f storetest.Fixture) {
			storetest.SetLimits(t, s, f, agent.ExportChanges{RequireUserID: storetest.SetTo(true)})
		}, want: turns.UserMissing},
		"limited": {prepare: func(f storetest.Fixture) { storetest.SetLimits(t, s, f, storetest.LimitKinds(5)[store.Day]) }, want: turns.Begun},
	} {
		t.Run(name, func(t *testing.T) {
			f := storetest.Seed(t, s, c.options)
			if c.prepare != nil {
				c.prepare(f)
			}
			odd, known := storetest.NewBegin(f.Key), storetest.NewBegin(quiet.Key)
			inSession(&known, "known")
			if c.change != nil {
				c.change(&odd)
			}
			got, err := turns.On(s).BeginTurns(t.Context(), known, odd)
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Outcome != turns.Begun || got[0].Number < 4 || len(got[0].History) < 3 {
				t.Errorf("the quiet one: %+v", got[0])
			}
			storetest.FinishTurn(t, s, known.TurnID, conversation.Answered)
			if got[1].Outcome != c.want {
				t.Fatalf("got %s, want %s", got[1].Outcome, c.want)
			}
			if nobody := (turns.Sender{}); (got[1].Sender == nobody) != (c.want == turns.Unauthorized) {
				t.Errorf("the sender is %+v", got[1].Sender)
			}
		})
	}
	storetest.Audit(t, s)
}

func withKey(b *turns.Begin) { b.IdempotencyKey = "k" }

// TestSpentInOrder: of the messages of one account in a call, those that its credits, its rates and
// its limits cover begin, in the order of their arrival, whichever exports they came through. A
// refusal says what is left after those.
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
		"day's limit": {limits: storetest.LimitKinds(2)[store.Day], want: "begun begun begun limit_reached begun limit_reached"},
		"user's limit": {limits: storetest.LimitKinds(1)[store.UserDay], users: []*string{&ada, &ada, &bob, &ada, &ada, &bob},
			want: "begun begun begun limit_reached begun limit_reached"},
		"a limit of one's own": {limits: storetest.LimitKinds(1)[store.UserDay], own: 3, users: []*string{&ada, &ada, &bob, &ada, &ada, &bob},
			want: "begun begun begun begun limit_reached limit_reached"},
	} {
		f := storetest.Seed(t, s, c.options)
		_, _, other := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
		storetest.SetLimits(t, s, f, c.limits)
		if c.own > 0 {
			storetest.SetOwnLimit(t, s, f, ada, &c.own)
		}
		var items []turns.Begin
		for i := range 6 {
			key := f.Key
			if i == 1 || i == 4 {
				key = other
			}
			b := storetest.NewBegin(key)
			if inSession(&b, fmt.Sprint("s", i)); c.users != nil {
				b.UserID = c.users[i]
			}
			items = append(items, b)
		}
		got, err := turns.On(s).BeginTurns(t.Context(), items...)
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
			if row.Outcome == turns.Begun {
				left--
			}
			if row.Outcome == turns.LimitReached && (row.Limit == nil || row.Limit.Used != row.Limit.Allowed) {
				t.Errorf("%s: message %d: %+v", name, i, row.Limit)
			}
		}
		if got := strings.Join(outcomes, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	storetest.Audit(t, s)
}

// TestOneCallOfAnAttacker: whatever one account sends, a call that others share is never undone:
// what the function can see is a refusal.
func TestOneCallOfAnAttacker(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet, f := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{Credits: 3})
	storetest.SetLimits(t, s, f, storetest.LimitKinds(2)[store.Day])
	_, _, second := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { inSession(b, "known") })
	message := func(key apikey.Key, session, idempotency, text string) turns.Begin {
		b := storetest.NewBegin(key)
		b.Session, b.IdempotencyKey = session, idempotency
		b.Fingerprint = conversation.Body{Message: text, Session: &session}.Fingerprint()
		return b
	}
	one := storetest.NewBegin(quiet.Key)
	items, want := []turns.Begin{one}, []turns.Outcome{turns.Begun}
	for _, c := range []struct {
		b    turns.Begin
		want turns.Outcome
	}{
		{message(f.Key, "known", "", ""), turns.Begun},
		{message(second, "known", "", ""), turns.Busy}, // through two exports, which no lock keeps apart
		{message(second, "new", "k", "a"), turns.Begun},
		{message(f.Key, "new", "", ""), turns.Busy},
		{message(f.Key, "new", "k", "a"), turns.InProgress},
		{message(second, "other", "k", "b"), turns.KeyReused},
		{message(f.Key, "other", "", ""), turns.InsufficientCredits},
	} {
		items, want = append(items, c.b), append(want, c.want)
	}
	got, err := turns.On(s).BeginTurns(t.Context(), items...)
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

// TestAConversationChangesBesideACall: what others do to one message's conversation while the call
// waits for it is seen, and undoes nothing.
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
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { inSession(b, name) })
		got, err := begunBesideChange(t, s, quiet, f, c.change, name)
		for fault.Is(err, fault.Unavailable) && t.Context().Err() == nil { // the call has waited as long as it may
			got, err = begunBesideChange(t, s, quiet, f, c.change, name)
		}
		if err != nil || got[0].Outcome != turns.Begun || got[1].Outcome != turns.Begun || got[1].Number != c.number {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// begunBesideChange begins a turn of each account in one call, which waits while a conversation is
// changed.
func begunBesideChange(t *testing.T, s *store.DB, quiet, f storetest.Fixture, change, session string) ([]turns.BeginResult, error) {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), change, session); err != nil {
		t.Fatal(err)
	}
	one, other := storetest.NewBegin(quiet.Key), storetest.NewBegin(f.Key)
	inSession(&one, one.TurnID.String())
	inSession(&other, session)
	var got []turns.BeginResult
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = turns.On(s).BeginTurns(t.Context(), one, other)
	}()
	for waits := 0; waits == 0; {
		select {
		case <-done:
			return got, err
		default:
		}
		if err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
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
