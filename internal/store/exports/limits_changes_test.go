package exports_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestLimitsChange lowers, raises and removes limits. If two are reached, the one that lasts longer
// is reported.
func TestLimitsChange(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	daily := func(n int64) { storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(n)}) }
	try := func(want turns.Outcome) turns.BeginResult {
		t.Helper()
		b := storetest.NewBegin(f.Key)
		storetest.InOwnSession("u")(&b)
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		if err != nil || got.Outcome != want {
			t.Fatalf("%s %v, want %s", got.Outcome, err, want)
		}
		if want == turns.Begun {
			storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
		}
		return got
	}
	daily(3)
	try(turns.Begun)
	try(turns.Begun)
	daily(1)
	if got := try(turns.LimitReached); got.Limit.Used != 2 || got.Limit.Allowed != 1 {
		t.Errorf("lowered: %+v", got.Limit)
	}
	daily(3)
	try(turns.Begun)
	try(turns.LimitReached)
	storetest.SetLimits(t, s, f, agent.ExportChanges{MonthlyCreditLimit: storetest.SetTo(int64(3))})
	if got := try(turns.LimitReached); got.Limit.Period != store.Month {
		t.Errorf("both are reached: %+v", got.Limit)
	}
	use, err := exports.On(s).UseByExports(t.Context(), f.Account.ID, []uuid.UUID{f.Export.ID})
	if err != nil || use[f.Export.ID] != (exports.ExportUse{Today: 3, ThisMonth: 3}) {
		t.Errorf("use with limits: %+v %v", use, err)
	}
	storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: agent.Change[int64]{Set: true}, MonthlyCreditLimit: agent.Change[int64]{Set: true}})
	try(turns.Begun)
	use, err = exports.On(s).UseByExports(t.Context(), f.Account.ID, []uuid.UUID{f.Export.ID})
	if err != nil || use[f.Export.ID] != (exports.ExportUse{Today: 4, ThisMonth: 4}) {
		t.Errorf("use without limits: %+v %v", use, err)
	}
	storetest.Audit(t, s)
}

// TestUsersAreLimitedOneByOne tests that an end user's limit needs the id with every message and
// does not affect others. It is counted without the id.
func TestUsersAreLimitedOneByOne(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.SetLimits(t, s, f, agent.ExportChanges{UserDailyMessageLimit: storetest.SetTo(1)})
	if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.UserMissing {
		t.Errorf("without an end user: %s", got.Outcome)
	}
	for _, user := range []string{"u", "U", "ü"} {
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
		if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession(user)); got.Outcome != turns.LimitReached || got.Limit.Period != store.UserDay {
			t.Errorf("%s again: %s", user, got.Outcome)
		}
	}
	storetest.Audit(t, s)
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM limit_counters
		WHERE user_hash IN (convert_to('u', 'UTF8'), sha256('u'))`); n != 0 {
		t.Errorf("%d counters without a key", n)
	}
}

// TestPurgeCounters tests that only counters of past periods are removed.
func TestPurgeCounters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.ExecLater(`INSERT INTO limit_counters (counted_for, account_id, period, starts, used, allowed)
		SELECT gen_random_uuid(), gen_random_uuid(), p, (now() AT TIME ZONE 'UTC')::date - d, 1, 1
		FROM unnest(ARRAY['DAY', 'MONTH', 'USER_DAY']) p, unnest(ARRAY[0, 1, 2, 70]) d`)(t, s, f)
	if n, err := exports.On(s).PurgeCounters(t.Context(), 4); n != 4 || err != nil {
		t.Errorf("first batch: %d %v", n, err)
	}
	if _, err := exports.On(s).PurgeCounters(t.Context(), 100); err != nil {
		t.Error(err)
	}
	for query, want := range map[string]int{
		`SELECT count(*) FROM limit_counters WHERE period <> 'MONTH'`:                              4,
		`SELECT count(*) FROM limit_counters WHERE starts < (now() AT TIME ZONE 'UTC')::date - 60`: 0,
		`SELECT least(count(*), 1) FROM limit_counters WHERE period = 'MONTH'`:                     1,
	} {
		if n := storetest.CountRows(t, s, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
}
