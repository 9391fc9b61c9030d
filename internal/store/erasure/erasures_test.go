package erasure_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// deletion is a way to delete an end user, a session or a conversation.
type deletion struct {
	name string
	run  func(ctx context.Context, l lab, user, session string, conversation uuid.UUID) error
	// ofUser: the end user is deleted, not only the session.
	// everywhere: the deletion includes the account's other agent.
	ofUser, everywhere bool
}

var deletions = []deletion{
	{"an end user", func(ctx context.Context, l lab, user, _ string, _ uuid.UUID) error {
		return storetest.ErrOnly(erasure.On(l.one).DeleteEndUser(ctx, l.Account.ID, user, nil))
	}, true, true},
	{"an end user of an agent", func(ctx context.Context, l lab, user, _ string, _ uuid.UUID) error {
		return storetest.ErrOnly(erasure.On(l.one).DeleteEndUser(ctx, l.Account.ID, user, &l.Agent.ID))
	}, true, false},
	{"a session", func(ctx context.Context, l lab, _, session string, _ uuid.UUID) error {
		return storetest.ErrOnly(
			erasure.On(l.one).DeleteConversationsBySessionID(ctx, l.Account.ID, session, nil))
	}, false, true},
	{"a session of an agent", func(ctx context.Context, l lab, _, session string, _ uuid.UUID) error {
		return storetest.ErrOnly(
			erasure.On(l.one).DeleteConversationsBySessionID(ctx, l.Account.ID, session, &l.Agent.ID))
	}, false, false},
	{"a conversation", func(ctx context.Context, l lab, _, _ string, conversation uuid.UUID) error {
		return erasure.On(l.one).DeleteConversation(ctx, l.Account.ID, conversation)
	}, false, false},
}

// allDeletions are deletions, and those of the agent and the account of a rejected request.
var allDeletions = append(slices.Clone(deletions),
	deletion{
		name: "an agent",
		run: func(ctx context.Context, l lab, _, _ string, _ uuid.UUID) error {
			return erasure.On(l.one).DeleteAgent(ctx, l.Account.ID, l.Agent.ID)
		},
	},
	deletion{
		name: "an account",
		run: func(ctx context.Context, l lab, _, _ string, _ uuid.UUID) error {
			return erasure.On(l.one).DeleteAnyAccount(ctx, l.Account.ID, storetest.ByUser)
		},
	})

// TestErasureBeatsRequestsRecordedLater tests rejected requests that arrive before a deletion, and
// that another replica records before, during or after it. No table keeps their ids.
func TestErasureBeatsRequestsRecordedLater(t *testing.T) {
	t.Parallel()
	for _, e := range deletions {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for round := range 20 {
				word := "mk" + strings.ReplaceAll(uuid.NewString(), "-", "")
				user, session := "user "+word, "session "+word
				var turn uuid.UUID
				begun, _ := storetest.AnswerTurn(t, l.one, l.Key, func(b *turns.Begin) {
					b.UserID, b.Session, b.Message, b.IdempotencyKey, turn = &user, session, word, uuid.NewString(), b.TurnID
				})
				requests := []conversations.RejectedRequest{l.request(l.Key, &user, &session), l.replay(turn, &user, &session),
					l.request(l.Key, nil, &session)} // an end user's sessions are erased too
				if e.ofUser {
					requests = append(requests, l.request(l.Key, &user, nil))
				}
				if e.everywhere && e.ofUser {
					requests = append(requests, l.request(l.otherKey, &user, nil))
				} else if e.everywhere {
					requests = append(requests, l.request(l.otherKey, &user, &session))
				}
				record := func() {
					if err := conversations.On(l.two).RecordRejected(context.WithoutCancel(t.Context()), requests); err != nil {
						t.Error(err)
					}
				}
				recorded := make(chan struct{})
				if round%3 == 0 {
					record()
				}
				if round%3 == 1 {
					go func() { defer close(recorded); record() }()
				}
				must(t, e.run(t.Context(), l, user, session, begun.ConversationID))
				switch round % 3 {
				case 1:
					<-recorded
				case 2:
					record()
				}
				for {
					if n, err := erasure.On(l.one).EraseEndUsers(t.Context(), 10); err != nil || n < 10 {
						break
					}
				}
				if left := storetest.Traces(t, l.one, word); len(left) > 0 {
					t.Errorf("round %d: there is still %v", round, left)
				}
			}
			if n := storetest.CountRows(t, l.one, `SELECT count(*) FROM rejected_requests WHERE code IS NOT NULL`); n < 20*2 {
				t.Errorf("only %d requests are recorded", n)
			}
		})
	}
}

// TestErasureWaitsForRequestsBeingRecorded tests requests whose recording began before a deletion
// and waits for a lock, before or after it has read the erasures. Deleting an agent or an account
// deletes its requests.
func TestErasureWaitsForRequestsBeingRecorded(t *testing.T) {
	t.Parallel()
	for _, e := range allDeletions {
		for _, waitsFor := range []string{"usage_cursors", "usage_rollups"} {
			t.Run(e.name+", "+waitsFor, func(t *testing.T) {
				t.Parallel()
				l, marker := newLab(t), "marker"
				begun := turns.BeginResult{}
				if e.name == "a conversation" { // the other deletions need none
					begun, _ = storetest.AnswerTurn(t, l.one, l.Key, func(b *turns.Begin) { b.UserID, b.Session = &marker, marker })
				}
				requests := []conversations.RejectedRequest{l.request(l.Key, &marker, &marker)}
				record := func() error { return conversations.On(l.two).RecordRejected(t.Context(), requests) }
				must(t, record())
				release := storetest.WhileLocked(t, l.one, `SELECT account_id FROM `+waitsFor, record)
				erased := make(chan error, 1)
				go func() { erased <- e.run(t.Context(), l, marker, marker, begun.ConversationID) }()
				storetest.WaitForLocks(t, l.one, 2)
				release()
				if err := <-erased; err != nil {
					t.Error(err)
				}
				want, refused := 2, 2
				if e.name == "an agent" || e.name == "an account" {
					want = 0
					if waitsFor == "usage_cursors" { // the request is recorded after the deletion
						refused = 1
					}
				}
				n := storetest.CountRows(t, l.one, `SELECT count(*) FROM rejected_requests`)
				bare := storetest.CountRows(t, l.one, `SELECT count(*) FROM rejected_requests
					WHERE num_nonnulls(user_id, session_id) = 0`)
				if n != want || bare != want {
					t.Errorf("%d of %d requests are without ids, want %d", bare, n, want)
				}
				n = storetest.CountRows(t, l.one, `SELECT sum(refused) FROM usage_rollups WHERE minutes = 15`)
				if n != refused {
					t.Errorf("the usage has %d requests, want %d", n, refused)
				}
			})
		}
	}
}

// TestErasureKeepsOtherIDs tests that requests of other end users, sessions, agents and accounts
// keep their ids, and so do requests after the erasure.
func TestErasureKeepsOtherIDs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	ids := func(user, session string) (*string, *string) { return &user, &session }
	user, session := ids("erased", "erased")
	other, its := ids("other", "other's")
	later := l.request(l.Key, user, other)
	later.At = time.Now().Add(time.Minute)
	erased := l.request(l.Key, user, its)
	if err := storetest.ErrOnly(erasure.On(l.one).DeleteEndUser(t.Context(), l.Account.ID, *user, &l.Agent.ID)); err != nil {
		t.Fatal(err)
	}
	kept := []conversations.RejectedRequest{l.request(l.Key, other, its), l.request(l.Key, other, session), l.request(l.otherKey, user, session),
		l.request(l.stranger.Key, user, session), later}
	must(t, conversations.On(l.two).RecordRejected(t.Context(), append(kept, erased)))
	if n := storetest.CountRows(t, l.one, `SELECT count(*) FROM rejected_requests WHERE num_nulls(user_id, session_id) = 0`); n != len(kept) {
		t.Errorf("%d requests have their ids, want %d", n, len(kept))
	}
	storetest.Exec(t, l.one, `UPDATE erasures SET erased_at = erased_at - interval '25 hours'`)
	if n, err := erasure.On(l.one).PurgeErasures(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("%d erasures are forgotten, %v; want 1", n, err)
	}
}

// lab is an account with another agent, and another account, on a database with two replicas.
type lab struct {
	storetest.Fixture
	one, two *store.DB
	other    agent.Agent
	otherKey apikey.Key
	stranger storetest.Fixture
}

func newLab(t *testing.T) lab {
	t.Helper()
	var l lab
	l.one, l.two = storetest.Replicas(t)
	options := storetest.Options{Variables: []agent.Variable{{Name: "plan"}}}
	l.Fixture, l.stranger = storetest.Seed(t, l.one, options), storetest.Seed(t, l.one, options)
	l.other = storetest.SeedAgent(t, l.one, l.Account.ID, options)
	_, _, l.otherKey = storetest.SeedExport(t, l.one, l.Account.ID, l.other.ID,
		agent.MaxRatePerMinute)
	return l
}

// request returns a rejected request that has just arrived.
func (l lab) request(key apikey.Key, user, session *string) conversations.RejectedRequest {
	return conversations.RejectedRequest{Key: key.Hash(), At: time.Now(), RequestID: "r", Status: 402, Code: "insufficient_credits",
		ClientAddress: "192.0.2.1", UserID: user, SessionID: session}
}

// replay returns a request that was just answered with a turn's stored reply.
func (l lab) replay(turn uuid.UUID, user, session *string) conversations.RejectedRequest {
	r := l.request(l.Key, user, session)
	r.Status, r.Code, r.Turn = 200, "", turn
	return r
}
