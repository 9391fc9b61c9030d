package conversations_test

import (
	"slices"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// TestRejectedBesideOtherWork: requests that wait for the account's usage see what others did meanwhile, and an erasure waits for requests
// that are being recorded.
func TestRejectedBesideOtherWork(t *testing.T) {
	t.Parallel()
	type lab struct {
		storetest.Fixture
		s *store.DB
	}
	newLab := func(t *testing.T) lab {
		t.Helper()
		t.Parallel()
		s := storetest.New(t)
		l := lab{storetest.Seed(t, s, storetest.Options{}), s}
		if err := conversations.On(s).RecordRejected(t.Context(), []conversations.RejectedRequest{storetest.RejectedRequest(l.Key)}); err != nil {
			t.Fatal(err)
		}
		return l
	}
	want := func(t *testing.T, l lab, requests, refused int) {
		t.Helper()
		if n := storetest.CountRows(t, l.s, `SELECT count(*) FROM rejected_requests`); n != requests {
			t.Errorf("%d requests are recorded, want %d", n, requests)
		}
		if n := storetest.CountRows(t, l.s,
			`SELECT sum(refused) FROM usage_rollups WHERE minutes = 15`); n != refused {
			t.Errorf("the usage has %d refused requests, want %d", n, refused)
		}
	}
	record := func(t *testing.T, l lab, request conversations.RejectedRequest) func() error {
		t.Helper()
		return func() error {
			return conversations.On(l.s).RecordRejected(t.Context(),
				[]conversations.RejectedRequest{request})
		}
	}
	t.Run("a turn began", func(t *testing.T) {
		l := newLab(t)
		b := storetest.NewBegin(l.Key)
		request := storetest.RejectedRequest(l.Key)
		request.Turn = b.TurnID
		release := storetest.WhileLocked(t, l.s,
			`SELECT account_id FROM usage_cursors`, record(t, l, request))
		if got, err := turns.On(l.s).BeginTurn(t.Context(), b); err != nil || got.Outcome != turns.Begun {
			t.Fatalf("%s, %v", got.Outcome, err)
		}
		release()
		want(t, l, 1, 1)
	})
	deleteAgent := func(l lab) error { return erasure.On(l.s).DeleteAgent(t.Context(), l.Account.ID, l.Agent.ID) }
	deleteAccount := func(l lab) error {
		return erasure.On(l.s).DeleteAnyAccount(t.Context(), l.Account.ID, storetest.ByUser)
	}
	for _, deletion := range []struct {
		name, heldUpBy string
		run            func(lab) error
		refused        int
	}{
		{"the agent was deleted before", `SELECT account_id FROM usage_cursors`, deleteAgent, 1},
		{"the agent was deleted meanwhile", `SELECT account_id FROM usage_rollups`, deleteAgent, 2},
		{"the account was deleted before", `SELECT account_id FROM usage_cursors`, deleteAccount, 1},
		{"the account was deleted meanwhile", `SELECT account_id FROM usage_rollups`, deleteAccount, 2},
	} {
		t.Run(deletion.name, func(t *testing.T) {
			l := newLab(t)
			release := storetest.WhileLocked(t, l.s, deletion.heldUpBy,
				record(t, l, storetest.RejectedRequest(l.Key)))
			deleted := make(chan error, 1)
			go func() { deleted <- deletion.run(l) }()
			storetest.WaitForLocks(t, l.s, 2)
			release()
			if err := <-deleted; err != nil {
				t.Error(err)
			}
			want(t, l, 0, deletion.refused)
		})
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
			rows, err := usage.On(s).AccountsUsage(t.Context(), nil, storetest.Time(from),
				storetest.Time("2026-03-20T10:02:00Z"), by)
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
