package operator_test

import (
	"testing"
	"time"

	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestHolds tests that the hold of a background message counts as old only after its deadline.
func TestHolds(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	wants := func(name string, pending int64, old bool) {
		t.Helper()
		got, oldest, err := operator.On(s).Holds(t.Context())
		if err != nil || got != pending || (oldest >= time.Hour) != old {
			t.Errorf("%s: %d holds, the oldest for %v, %v", name, got, oldest, err)
		}
	}
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Background, b.IdempotencyKey = true, "k" })
	storetest.Exec(t, s, `UPDATE turns SET created_at = now() - interval '1 hour'`)
	wants("in time", 1, false)
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "other" })
	wants("with another", 2, false)
	storetest.Exec(t, s, `UPDATE turns SET deadline = now() WHERE background`)
	wants("late", 2, true)
}
