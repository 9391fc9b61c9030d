package main

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// TestFloorKeepsTheLedger: the ledger is exact after the seeds, and after chats by the floor's statements and by the store's.
func TestFloorKeepsTheLedger(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	speakers, err := seedGroup(t.Context(), conn, seedSQL, group{2, 2, sandboxModel, 40, 3, 4})
	if err != nil || len(speakers) != 4 {
		t.Fatal(len(speakers), err)
	}
	storetest.Audit(t, s)
	f, err := openFloor(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.close(context.Background()) })
	for _, session := range []string{"s-0", "s-2", "new", "new"} {
		for _, from := range speakers {
			if err := f.chat(t.Context(), 0, from, session); err != nil {
				t.Fatalf("the floor, %s: %v", session, err)
			}
			if err := throughStore(t.Context(), s, from, session); err != nil {
				t.Fatalf("the store, %s: %v", session, err)
			}
		}
	}
	storetest.Audit(t, s)
	var turns, charges int
	if err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM turns WHERE state = 'ANSWERED'),
		(SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE')`).Scan(&turns, &charges); err != nil {
		t.Fatal(err)
	}
	if want := 2*3*4 + 4*4*2; turns != want || charges != want {
		t.Errorf("%d answered turns and %d charges, want %d of each", turns, charges, want)
	}
}

// TestVisitsTakeTurns: clients go through different conversations, and all of a group's come up.
func TestVisitsTakeTurns(t *testing.T) {
	t.Parallel()
	speakers := []speaker{{account: newID()}, {account: newID()}}
	seen := map[string]int{}
	for client := range 3 {
		v := &visit{speakers, 3, client, 3}
		for range 2 {
			from, session := v.next()
			seen[from.account.String()+session]++
		}
	}
	if len(seen) != 6 {
		t.Errorf("6 messages went to %d conversations, want 6: %v", len(seen), seen)
	}
}

// TestSpread: medians of odd and even numbers of rounds, and what was not measured.
func TestSpread(t *testing.T) {
	t.Parallel()
	for want, sorted := range map[string][]float64{"2.0 [1.0–9.0]": {1, 2, 9}, "1.5 [1.0–2.0]": {1, 2}, "3.0": {3}, "–": {quantile(nil, 0.5)}} {
		if got := spread(sorted, 1, true); got != want {
			t.Errorf("%v is %q, want %q", sorted, got, want)
		}
	}
}
