package turns_test

import (
	"fmt"
	"slices"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// lockOrder lists the tables and, for each, the order in which its rows are locked.
var lockOrder = []struct{ table, key string }{
	{"api_exports", "id"},
	{"conversations", "id"},
	{"turns", "id"},
	{"limit_counters", "counted_for, period, starts, user_hash"},
	{"accounts", "id"},
}

// TestRowsAreLockedInOrder: a batch that waits for the first row of a table holds no other row of
// that table or of a later one, so batches never wait for each other in a circle. An index on the
// ids returns rows in their order anyway, so the test drops it and stores the rows in the
// opposite order.
func TestRowsAreLockedInOrder(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	for _, table := range []string{"api_exports", "conversations", "turns", "accounts"} {
		storetest.Exec(t, s, fmt.Sprintf(`ALTER TABLE %[1]s DROP CONSTRAINT %[1]s_pkey CASCADE`, table))
	}
	storetest.Exec(t, s, `DROP INDEX api_exports_account, api_exports_agent`)
	const limit = 10
	var begins, pending []turns.Begin
	var ends []turns.Settlement
	for range 4 {
		f := storetest.Seed(t, s, storetest.Options{})
		storetest.SetLimits(t, s, f, agent.ExportChanges{
			DailyCreditLimit:      storetest.SetTo[int64](limit),
			MonthlyCreditLimit:    storetest.SetTo[int64](limit),
			UserDailyMessageLimit: storetest.SetTo(limit),
		})
		message := storetest.NewBegin(f.Key)
		message.UserID = new("u")
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.UserID = message.UserID })
		begins = append(begins, message)
		pending = append(pending, message)
		ends = append(ends, turns.Settlement{TurnID: message.TurnID, State: turns.Withdrawn})
	}
	storetest.Exec(t, s, `DELETE FROM turns`) // the conversations stay
	slices.Reverse(begins)
	waitsInOrder(t, s, []string{"api_exports", "conversations", "limit_counters", "accounts"},
		func() error { return storetest.ErrOnly(turns.On(s).BeginTurns(t.Context(), begins...)) })

	if _, err := turns.On(s).BeginTurns(t.Context(), pending...); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(ends)
	waitsInOrder(t, s, []string{"conversations", "turns", "limit_counters", "accounts"},
		func() error { return storetest.ErrOnly(turns.On(s).SettleTurns(t.Context(), ends...)) })
}

// waitsInOrder locks the first row of each of the tables, one table after the other, and checks
// which rows a call holds while it waits for that row.
func waitsInOrder(t *testing.T, s *store.DB, tables []string, call func() error) {
	t.Helper()
	for _, rows := range lockOrder {
		storetest.Exec(t, s, fmt.Sprintf(`DO $$ DECLARE r record; BEGIN
			FOR r IN SELECT ctid AS place FROM %[1]s ORDER BY (%[2]s) DESC LOOP
				UPDATE %[1]s SET (%[2]s) = ROW(%[2]s) WHERE ctid = r.place;
			END LOOP; END $$`, rows.table, rows.key))
	}
	for i, first := range lockOrder {
		if !slices.Contains(tables, first.table) {
			continue
		}
		tx, err := s.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		lock := func(table, key, rest string) {
			t.Helper()
			query := fmt.Sprintf(`SELECT FROM %s ORDER BY %s %s`, table, key, rest)
			if _, err := tx.ExecContext(t.Context(), query); err != nil {
				t.Errorf("a call that waits for %s holds rows: %s: %v", first.table, query, err)
			}
		}
		lock(first.table, first.key, `LIMIT 1 FOR NO KEY UPDATE`)
		done := waiting(t, s, call)
		for _, rows := range lockOrder[i:] {
			lock(rows.table, rows.key, `FOR NO KEY UPDATE NOWAIT`)
		}
		if err := <-done; !fault.Is(err, fault.Unavailable) {
			t.Errorf("a call that waited for %s: %v", first.table, err)
		}
		_ = tx.Rollback()
	}
}

// TestBatchesGiveUpSoon: a batch gives up on a locked row while a call for one turn still waits.
func TestBatchesGiveUpSoon(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	begins, ends := make([]turns.Begin, 3), make([]turns.Settlement, 3)
	for i := range begins {
		begins[i] = storetest.NewBegin(f.Key)
		begins[i].Session = fmt.Sprint("s", i)
		ends[i] = turns.Settlement{TurnID: begins[i].TurnID, State: conversation.Failed, ErrorCode: "internal"}
	}
	begin := func(items ...turns.Begin) error {
		return storetest.ErrOnly(turns.On(s).BeginTurns(t.Context(), items...))
	}
	settle := func(items ...turns.Settlement) error {
		return storetest.ErrOnly(turns.On(s).SettleTurns(t.Context(), items...))
	}
	release := storetest.WhileLocked(t, s, `SELECT FROM api_exports`, func() error { return begin(begins[0]) })
	if err := begin(begins[1:]...); !fault.Is(err, fault.Unavailable) {
		t.Errorf("two messages: %v", err)
	}
	release()
	if err := begin(begins[1:]...); err != nil {
		t.Fatal(err)
	}
	release = storetest.WhileLocked(t, s, `SELECT FROM accounts`, func() error { return settle(ends[0]) })
	if err := settle(ends[1:]...); !fault.Is(err, fault.Unavailable) {
		t.Errorf("two settlements: %v", err)
	}
	release()
	storetest.Audit(t, s)
}
