package conversations_test

import (
	"slices"
	"testing"

	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// TestRejectedWhileItsTurnBegins: a request that waits for the account's usage is not recorded if
// its turn has begun meanwhile.
func TestRejectedWhileItsTurnBegins(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	b := storetest.NewBegin(f.Key)
	first, second := storetest.RejectedRequest(f.Key), storetest.RejectedRequest(f.Key)
	second.Turn = b.TurnID
	record := func(request conversations.RejectedRequest) error {
		return conversations.On(s).RecordRejected(t.Context(), []conversations.RejectedRequest{request})
	}
	if err := record(first); err != nil {
		t.Fatal(err)
	}
	release := storetest.WhileLocked(t, s, `SELECT account_id FROM usage_cursors`,
		func() error { return record(second) })
	if got, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || got.Outcome != turns.Begun {
		t.Fatalf("%s, %v", got.Outcome, err)
	}
	release()
	for _, query := range []string{
		`SELECT count(*) FROM rejected_requests`,
		`SELECT sum(refused) FROM usage_rollups WHERE minutes = 15`,
	} {
		if n := storetest.CountRows(t, s, query); n != 1 {
			t.Errorf("%s: %d, want 1", query, n)
		}
	}
}

// TestRefusedRequestsAreNoUsage: a refused request has no row in the usage of accounts, in whole
// quarters of an hour or at the ends.
func TestRefusedRequestsAreNoUsage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	if err := conversations.On(s).RecordRejected(t.Context(), []conversations.RejectedRequest{storetest.RejectedRequest(f.Key)}); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"2026-03-20T00:00:00Z", "2026-03-20T10:00:30Z", "2026-03-20T09:59:59Z"} {
		for _, by := range [][]usage.Dimension{
			{usage.ByAccount}, {usage.ByAgent}, {usage.ByModel}, {usage.ByDay},
		} {
			rows, err := usage.On(s).AccountsUsage(t.Context(), usage.AccountsQuery{
				From: storetest.Time(from), To: storetest.Time("2026-03-20T10:02:00Z"), By: by})
			if err != nil || len(rows) != 0 {
				t.Errorf("from %s by %s: %+v %v", from, by, rows, err)
			}
		}
	}
}

// TestRejectedRequestsOfAnAccountAreBounded sends more than are listed, through two replicas: the usage counts all of them where it has
// rows already, and another account's are listed as before.
func TestRejectedRequestsOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	again, unseen := storetest.RejectedRequest(f.Key), storetest.RejectedRequest(f.Key)
	unseen.Code = "export_paused"
	flood := slices.Repeat([]conversations.RejectedRequest{again}, conversations.RejectedBurst+60)
	if err := conversations.On(s).RecordRejected(t.Context(), flood); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, s,
		`UPDATE usage_cursors SET rejected_tat = rejected_tat + interval '1 hour'`) // no more are listed during this test
	err := conversations.On(storetest.Replica(t, s)).RecordRejected(t.Context(),
		[]conversations.RejectedRequest{again, unseen, storetest.RejectedRequest(other.Key)})
	if err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{
		`SELECT count(*) FROM rejected_requests`:                    conversations.RejectedBurst + 1,
		`SELECT sum(refused) FROM usage_rollups WHERE minutes = 15`: len(flood) + 2,
		`SELECT count(*) FROM usage_rollups WHERE minutes = 15`:     2,
	} {
		if got := storetest.CountRows(t, s, what); got != n {
			t.Errorf("%s: %d, want %d", what, got, n)
		}
	}
}
