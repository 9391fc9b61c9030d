package requestlog_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/requestlog"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// TestQueueIsShared shows that any number of refused requests of one account and of unknown callers
// leave room to record those of another account.
func TestQueueIsShared(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	r := requestlog.New(s, time.Hour, slog.New(slog.DiscardHandler))
	noisy, quiet := storetest.Seed(t, s, storetest.Options{}),
		storetest.Seed(t, s, storetest.Options{})
	record := func(f storetest.Fixture, account uuid.UUID, n int) {
		for range n {
			r.Record(account, conversations.RejectedRequest{
				Key:       f.Key.Hash(),
				At:        time.Now(),
				RequestID: "r",
				Status:    400,
				Code:      "invalid_request",
			})
		}
	}
	record(noisy, noisy.Account.ID, 10_000)
	record(noisy, uuid.Nil, 10_000)
	dropped := r.Dropped()
	record(quiet, quiet.Account.ID, 100)
	if now := r.Dropped(); now != dropped || dropped == 0 {
		t.Errorf("%d requests were dropped, then %d", dropped, now)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_ = r.Run(ended) // writes the last ones
	var n int
	err := s.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM rejected_requests WHERE account_id = $1`, quiet.Account.ID).Scan(&n)
	if err != nil || n != 100 {
		t.Errorf("%d of 100 requests were recorded: %v", n, err)
	}
}
