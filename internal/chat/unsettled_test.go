package chat

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestUnsettledTurnsAreRetried tests when unsettled turns are tried again, and which outcomes end
// that.
func TestUnsettledTurnsAreRetried(t *testing.T) {
	t.Parallel()
	all := []int{1, 2, 4, 8, 15, 30, 60}
	for outcome, want := range map[turns.Outcome][]int{
		turns.Retry: all, turns.Gone: all[:5], turns.Settled: all[:1],
		turns.AlreadyAnswered: all[:1], turns.AlreadyFailed: all[:1],
	} {
		u, began := newUnsettledTurns(), time.Now()
		u.keepSince(began, turns.Settlement{TurnID: uuid.New(), State: turns.Withdrawn, UnpaidCalls: 2,
			CachedTokens: new(int64(3)), ProviderCost: new(int64(4))})
		var tried []int
		for second := range 100 {
			for _, due := range u.due(began.Add(time.Duration(second) * time.Second)) {
				tried = append(tried, second)
				in := due.settlement()
				if in.ErrorCode != string(fault.Unavailable) || in.UnpaidCalls != 2 || *in.CachedTokens != 3 ||
					*in.ProviderCost != 4 {
					t.Errorf("%+v", in)
				}
				u.tried(due, outcome)
			}
		}
		if !slices.Equal(tried, want) || u.count() != 0 {
			t.Errorf("%s: tried after %v s, want %v; %d are left", outcome, tried, want, u.count())
		}
	}
}

// TestBegunThoughGivenUp tests that a turn that begins after its request has given up is failed, and
// costs nothing at the provider.
func TestBegunThoughGivenUp(t *testing.T) {
	t.Parallel()
	released := 0
	db := storetest.New(t)
	s := New(Config{Store: db, Released: func(_ Reason, n int) { released += n }})
	f := storetest.Seed(t, db, storetest.Options{})
	late := s.newTurn(Message{Key: f.Key.Hash()})
	s.release(t.Context(), late)
	storetest.BeginTurn(t, db, f.Key, func(b *turns.Begin) { b.TurnID = late.id })
	kept := s.unsettled.turns[late.id]
	kept.since = kept.since.Add(-time.Second)
	s.unsettled.turns[late.id] = kept
	s.settleUnsettled(t.Context())
	_, held := storetest.Credits(t, db, f.Account.ID)
	costless := storetest.CountRows(t, db, `SELECT count(*) FROM turns WHERE provider_cost = 0`)
	if left := s.unsettled.count(); held != 0 || released != 1 || left != 0 || costless != 1 {
		t.Errorf("%d credits are held, %d turns were released, %d are left", held, released, left)
	}
	storetest.Audit(t, db)
}

// TestUnsettledTurnsAreBounded tests that an outage does not fill the memory.
func TestUnsettledTurnsAreBounded(t *testing.T) {
	t.Parallel()
	u := newUnsettledTurns()
	for n := range maxUnsettled + 1 {
		u.keep(turns.Settlement{TurnID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n))})
	}
	if u.count() != maxUnsettled {
		t.Errorf("%d turns", u.count())
	}
}
