package conversations_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// BenchmarkBeginOfAnEndUser compares the statement that begins a turn with and without an end user:
// x_unknown for one without rules, among 10,000 with rules, and x_limited for one with a limit of
// their own.
func BenchmarkBeginOfAnEndUser(b *testing.B) {
	s := storetest.New(b)
	f := storetest.Seed(b, s, storetest.Options{Credits: 1 << 40})
	storetest.Exec(b, s,
		`INSERT INTO end_users (account_id, user_id, user_hash) SELECT $1, n, end_user_hash_1(n::text) FROM generate_series(1, 10000) n`,
		f.Account.ID)
	if _, err := conversations.On(s).SetEndUserLimit(b.Context(), f.Account.ID, "limited", new(1_000_000)); err != nil {
		b.Fatal(err)
	}
	storetest.Exec(b, s, `VACUUM ANALYZE`)
	unknown, limited := "unknown", "limited"
	users := []*string{nil, &unknown, &limited}
	took := make([][]time.Duration, len(users))
	for b.Loop() {
		for i, user := range users {
			turn := storetest.NewBegin(f.Key)
			turn.Session, turn.UserID, turn.RequestID = turn.TurnID.String(), user, uuid.NewString()
			began := time.Now()
			got, err := turns.On(s).BeginTurn(b.Context(), turn)
			if err != nil || got.Outcome != turns.Begun {
				b.Fatal(got.Outcome, err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	middle := func(i int) float64 { return float64(took[i][len(took[i])/2]) }
	b.ReportMetric(middle(0)/1000, "us_nobody")
	b.ReportMetric(middle(1)/middle(0), "x_unknown")
	b.ReportMetric(middle(2)/middle(0), "x_limited")
}
