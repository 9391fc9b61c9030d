package turns_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// inSession is a begin of a session of its own.
func inSession(b *turns.Begin, session string) { b.Session = session }

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

// TestAConversationChangesBesideACall: what others do to one message's conversation while the call
// waits for it is seen, and undoes nothing.
func TestAConversationChangesBesideACall(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	quiet, f := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	for session, c := range map[string]struct {
		change string
		number int64
	}{
		"deleted": {`deleted_at = now()`, 1},
		"longer":  {`turn_count = turn_count + 1`, 3},
	} {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { inSession(b, session) })
		var got []turns.BeginResult
		change := fmt.Sprintf(`UPDATE conversations SET %s WHERE session_id = '%s'`, c.change, session)
		whileLocked(t, s, change, nil, func() (err error) {
			one, other := storetest.NewBegin(quiet.Key), storetest.NewBegin(f.Key)
			inSession(&one, one.TurnID.String())
			inSession(&other, session)
			got, err = turns.On(s).BeginTurns(t.Context(), one, other)
			return err
		})
		if got[0].Outcome != turns.Begun || got[1].Outcome != turns.Begun || got[1].Number != c.number {
			t.Errorf("%s: %+v", session, got)
		}
	}
}

// waiting starts a call, and returns once the call waits for a lock or has ended.
func waiting(t *testing.T, s *store.DB, call func() error) (done chan error) {
	t.Helper()
	done = make(chan error, 1)
	go func() { done <- call() }()
	for n := 0; n == 0 && len(done) == 0; {
		n = storetest.CountRows(t, s, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	}
	return done
}

// whileLocked makes a call wait for a transaction that has run lock. Meanwhile it runs change, if
// any, and then commits. It starts over if the call gave up before.
func whileLocked(
	t *testing.T, s *store.DB, lock string, change func(*sql.Tx) error, call func() error,
) {
	t.Helper()
	try := func() error {
		tx, err := s.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.ExecContext(t.Context(), lock); err != nil {
			return err
		}
		done := waiting(t, s, call)
		if len(done) > 0 {
			return <-done
		}
		if change != nil {
			err = change(tx)
		}
		return errors.Join(err, tx.Commit(), <-done)
	}
	err := try()
	for fault.Is(err, fault.Unavailable) && t.Context().Err() == nil {
		err = try()
	}
	if err != nil {
		t.Fatal(err)
	}
}
