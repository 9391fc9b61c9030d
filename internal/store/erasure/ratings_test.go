package erasure_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/ratings"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestRatingsAgainstDeletions rates the replies of a conversation on two replicas while it is
// deleted in each possible way. No rating is left, and no statement fails.
func TestRatingsAgainstDeletions(t *testing.T) {
	t.Parallel()
	for _, way := range allDeletions {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for range 3 {
				l.Fixture = storetest.Seed(t, l.one, storetest.Options{})
				var talk uuid.UUID
				replies := make([]uuid.UUID, 4)
				for i := range replies {
					begun, _ := storetest.AnswerTurn(t, l.one, l.Key, func(b *turns.Begin) {
						b.UserID, b.Session, replies[i] = new("user"), "session", b.TurnID
						if i%2 == 0 {
							b.IdempotencyKey = fmt.Sprint(i)
						}
					})
					talk = begun.ConversationID
				}
				var work sync.WaitGroup
				rated := make(chan struct{}, 4)
				for i := range cap(rated) {
					s := []*store.DB{l.one, l.two}[i%2]
					work.Go(func() { l.rateUntilGone(context.WithoutCancel(t.Context()), t, s, replies, rated, i) })
				}
				<-rated
				must(t, way.run(t.Context(), l, "user", "session", talk))
				work.Wait()
				must(t, storetest.ErrOnly(erasure.On(l.two).EraseEndUsers(t.Context(), 10)))
				storetest.PurgeAgents(t, l.two)
				if n := storetest.CountRows(t, l.one, `SELECT count(*) FROM ratings`); n != 0 {
					t.Errorf("%d ratings are left", n)
				}
			}
		})
	}
}

// rateUntilGone rates replies, as a caller and for the team, until they are deleted. It signals its
// first rating.
func (l lab) rateUntilGone(
	ctx context.Context, t *testing.T, s *store.DB, replies []uuid.UUID, rated chan<- struct{}, n int,
) {
	t.Helper()
	for first := true; ; first = false {
		kind := []conversation.RatingKind{conversation.ByCaller, conversation.ByTeam}[n/2%2]
		in := storetest.NewRating(l.Fixture, replies[n%len(replies)], kind, conversation.RatingValue(n%3-1), "")
		if _, err := ratings.On(s).Rate(ctx, l.Account.ID, in); err != nil {
			if !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
			return
		}
		if first {
			rated <- struct{}{}
		}
		n++
	}
}

// TestPurgeOfTextThatWasNotErased purges an erased end user's conversation that still has its text
// after a day.
func TestPurgeOfTextThatWasNotErased(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var turn uuid.UUID
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.UserID, turn = new("user"), b.TurnID })
	storetest.GiveRating(t, s, f, turn, conversation.ByCaller, conversation.Up, "a note")
	must(t, storetest.ErrOnly(erasure.On(s).DeleteEndUser(t.Context(), f.Account.ID, "user", nil)))
	storetest.Exec(t, s, `UPDATE conversations SET deleted_at = now() - interval '25 hours'`)
	n, err := erasure.On(s).PurgeDeleted(t.Context(), 10)
	left := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM turns) + (SELECT count(*) FROM ratings)`)
	if n != 1 || left != 0 || err != nil {
		t.Errorf("purged %d conversations, %d rows are left, %v", n, left, err)
	}
}

// TestRatingMissedByAnErasure erases a deleted agent with a rating that its turns' deletion did not see.
func TestRatingMissedByAnErasure(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var turn uuid.UUID
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { turn = b.TurnID })
	storetest.GiveRating(t, s, f, turn, conversation.ByCaller, conversation.Up, "a note")
	storetest.Exec(t, s, `UPDATE conversations SET rated_up = 0`) // as the erasure's snapshot has it
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	storetest.PurgeAgents(t, s)
	left := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM agents) + (SELECT count(*) FROM ratings)`)
	if left != 0 {
		t.Errorf("%d agents and ratings are left", left)
	}
}
