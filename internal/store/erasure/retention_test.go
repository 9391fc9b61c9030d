package erasure_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestIdleConversationsAreDeleted tests that small batches delete exactly the conversations of the
// API, the playground and test runs without a message for a week. The credit history stays.
func TestIdleConversationsAreDeleted(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 100})
	const old, week = 7, 7 // days
	for i := range old - 1 {
		storetest.AnswerInPlayground(t, s, f, fmt.Sprint("old ", i))
	}
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
		b.Source, b.AccountID, b.AgentID, b.Session = conversation.Test, f.Account.ID, f.Agent.ID, "old test"
	})
	storetest.AnswerInPlayground(t, s, f, "six days")
	storetest.AnswerInPlayground(t, s, f, "new")
	storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = clock_timestamp() - interval '8 days' WHERE session_id LIKE 'old%'`)
	storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = clock_timestamp() - interval '6 days' WHERE session_id = 'six days'`)
	before := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries`)
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "in flight" })
	deleted := 0
	for {
		n, err := erasure.On(s).PurgeIdle(t.Context(), week, 3)
		if err != nil || n > 3 {
			t.Fatal(n, err)
		}
		if deleted += n; n < 3 {
			break
		}
	}
	if deleted != old {
		t.Errorf("%d deleted, want %d", deleted, old)
	}
	left := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 10}, nil)
	if slices.Sort(left); !slices.Equal(left, []string{"in flight", "new", "six days"}) {
		t.Errorf("left: %v", left)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE c.deleted_at IS NOT NULL AND t.message <> ''`); n != 0 {
		t.Errorf("%d messages of deleted conversations still have text", n)
	}
	if after := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries`); after != before {
		t.Errorf("the credit history had %d entries and has %d", before, after)
	}
	storetest.Audit(t, s)
}

// TestRetention tests that the shorter of the account's and the service's retention applies to the
// conversations of each account, and to the rejected requests of accounts with their own. The preview
// counts exactly the conversations that are deleted.
func TestRetention(t *testing.T) {
	t.Parallel()
	type kept struct{ conversations, rejected string } // their ages in days
	const all = "4 7 20 40"
	for service, want := range map[int]map[int]kept{ // by the account's own retention; 0 for none
		0:  {0: {all, all}, 30: {"4 7 20", "4 7 20"}, 5: {"4", "4"}, account.MaxRetentionDays: {all, all}},
		10: {0: {"4 7", all}, 30: {"4 7", "4 7"}, 5: {"4", "4"}, account.MaxRetentionDays: {"4 7", "4 7"}},
	} {
		t.Run(fmt.Sprint(service), func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			owners, expected := map[int]uuid.UUID{}, 0
			for own := range want {
				f := storetest.Seed(t, s, storetest.Options{Credits: 100})
				owners[own] = f.Account.ID
				for age := range strings.FieldsSeq(all) {
					storetest.AnswerInPlayground(t, s, f, age)
					rejected := storetest.RejectedRequest(f.Key)
					rejected.RequestID = age
					rejected.At = time.Now().AddDate(0, 0, -number(t, age))
					if age == "7" { // as a stored reply
						rejected.Code, rejected.Detail, rejected.Status = "", "", 200
					}
					must(t, conversations.On(s.Own()).RecordRejected(t.Context(), []conversations.RejectedRequest{rejected}))
				}
				storetest.Exec(t, s, `UPDATE accounts SET retention_days = nullif($2, 0) WHERE id = $1`, f.Account.ID, own)
			}
			storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = clock_timestamp() - make_interval(days => session_id::integer)`)
			for own, id := range owners {
				n, more, err := erasure.On(s).CountIdle(t.Context(), id, cmp.Or(own, account.MaxRetentionDays), service)
				if gone := 4 - len(strings.Fields(want[own].conversations)); err != nil || n != gone || more {
					t.Errorf("own %d: the preview is %d %t %v, want %d", own, n, more, err, gone)
				}
				expected += n
			}
			if n, err := erasure.On(s).PurgeIdle(t.Context(), service, 100); err != nil || n != expected {
				t.Errorf("%d conversations deleted, %v, want %d", n, err, expected)
			}
			must(t, storetest.ErrOnly(erasure.On(s).PurgeIdleRejected(t.Context(), service, 100)))
			for own, id := range owners {
				var got kept
				err := s.SQL().QueryRowContext(t.Context(), `SELECT
					(SELECT string_agg(session_id, ' ' ORDER BY last_turn_at DESC) FROM conversations WHERE account_id = $1 AND deleted_at IS NULL),
					(SELECT string_agg(request_id, ' ' ORDER BY id DESC) FROM rejected_requests WHERE account_id = $1)`, id).
					Scan(&got.conversations, &got.rejected)
				if err != nil || got != want[own] {
					t.Errorf("own %d: %+v is left, %v, want %+v", own, got, err, want[own])
				}
			}
			storetest.Audit(t, s)
		})
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// TestPreviewIsBounded tests that a preview stops counting at MaxPreview.
func TestPreviewIsBounded(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for _, c := range []struct {
		add, want int
		more      bool
	}{{erasure.MaxPreview, erasure.MaxPreview, false}, {1, erasure.MaxPreview, true}} {
		addIdle(t, s, f, c.add)
		n, more, err := erasure.On(s).CountIdle(t.Context(), f.Account.ID, 1, 0)
		if err != nil || n != c.want || more != c.more {
			t.Errorf("%d %t %v, want %+v", n, more, err, c)
		}
	}
}

// addIdle adds conversations without turns that were idle for two days.
func addIdle(t *testing.T, s *store.DB, f storetest.Fixture, n int) {
	t.Helper()
	storetest.Bulk(t, s, `INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT x.id, $1, $2, 'API', x.id::text, 0, now() - interval '2 days'
		FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $3)) x`, f.Account.ID, f.Agent.ID, n)
}

// TestLongerRetentionDuringAPurge lengthens the retention while a purge waits in its first
// transaction. Only the conversations of that transaction are deleted.
func TestLongerRetentionDuringAPurge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	addIdle(t, s, f, 120)
	storetest.Exec(t, s, `UPDATE accounts SET retention_days = 1`)
	deleted := 0
	release := storetest.WhileLocked(t, s, `SELECT id FROM conversations`, func() (err error) {
		deleted, err = erasure.On(s).PurgeIdle(t.Context(), 0, 120)
		return err
	})
	storetest.Exec(t, s, `UPDATE accounts SET retention_days = 3`)
	release()
	if deleted != 50 {
		t.Errorf("%d deleted", deleted)
	}
}

// TestPurgeWithoutRetention tests that the purge reads little if no account has a retention.
func TestPurgeWithoutRetention(t *testing.T) {
	t.Parallel()
	s, cost := storetest.Planner(t, storetest.URL(t))
	storetest.Bulk(t, s, `INSERT INTO accounts (id, name) SELECT gen_random_uuid(), 'Account' FROM generate_series(1, 20000)`)
	storetest.Bulk(t, s, `INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), id, 'Agent' FROM accounts`)
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	for name, purge := range map[string]func(context.Context, int, int) (int, error){
		"conversations": erasure.On(s).PurgeIdle, "rejected requests": erasure.On(s).PurgeIdleRejected,
	} {
		plan := cost(func() error { return storetest.ErrOnly(purge(t.Context(), 0, 500)) })
		if plan.Blocks > 20 || len(plan.Scanned) > 0 {
			t.Errorf("%s: %+v", name, plan)
		}
	}
}
