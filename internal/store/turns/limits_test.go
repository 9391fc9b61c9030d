package turns_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// raceLimit is the limit for the racing messages.
const raceLimit = 15

// TestLimitsAreExactUnderRaces: many messages race over two replicas, and a third of them fail.
// Exactly as many are answered as the limit, or the credits, allow, and never more are in flight or
// answered.
func TestLimitsAreExactUnderRaces(t *testing.T) {
	t.Parallel()
	for period, change := range storetest.LimitKinds(raceLimit) {
		t.Run(string(period), func(t *testing.T) {
			t.Parallel()
			s := storetest.Open(t, storetest.URL(t))
			f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
			storetest.SetLimits(t, s, f, change)
			raceForLimit(t, s, period, f.Key)
		})
	}
	t.Run("an end user's own", func(t *testing.T) {
		t.Parallel()
		s := storetest.Open(t, storetest.URL(t))
		f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
		other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
		_, _, second := storetest.SeedExport(t, s, f.Account.ID, other.ID, agent.MaxRatePerMinute)
		storetest.SetLimits(t, s, f, storetest.LimitKinds(1)[store.UserDay]) // which it replaces
		storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(raceLimit).Value)
		raceForLimit(t, s, store.UserDay, f.Key, second)
	})
	t.Run("credits", func(t *testing.T) {
		t.Parallel()
		s := storetest.Open(t, storetest.URL(t))
		f := storetest.Seed(t, s, storetest.Options{Credits: raceLimit})
		raceForLimit(t, s, "", f.Key)
	})
}

// raceForLimit sends messages with the keys, to a store and another replica, until a limit of a
// period, or "" for the credits, refuses them.
func raceForLimit(t *testing.T, s *store.DB, period store.Period, keys ...apikey.Key) {
	t.Helper()
	const messages, workers = 90, 8
	replicas := []*store.DB{s, storetest.Replica(t, s)}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var counted, answers atomic.Int64
	// begin reports whether a message begins.
	begin := func(s *store.DB, key apikey.Key) (b turns.Begin, begun bool) {
		b = storetest.NewBegin(key)
		storetest.InOwnSession("u")(&b)
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		for err == nil && got.Outcome == turns.Retry {
			got, err = turns.On(s).BeginTurn(t.Context(), b)
		}
		switch {
		case err != nil:
			t.Error(err)
		case got.Outcome == turns.Begun:
			return b, true
		case period == "" && got.Outcome == turns.InsufficientCredits:
		case period == "" || got.Outcome != turns.LimitReached:
			t.Errorf("begin: %s", got.Outcome)
		case got.Limit.Period != period || got.Limit.Allowed != raceLimit || got.Limit.Used != raceLimit:
			t.Errorf("refused with %+v", got.Limit)
		}
		return b, false
	}
	var work sync.WaitGroup
	for w := range workers {
		random, s := rand.New(rand.NewPCG(seed, uint64(w))), replicas[w%len(replicas)]
		work.Go(func() {
			for i := range messages / workers {
				b, begun := begin(s, keys[(w+i)%len(keys)])
				if !begun {
					continue
				}
				if n := counted.Add(1); n > raceLimit {
					t.Errorf("%d in flight or answered", n)
				}
				if random.IntN(3) == 0 {
					counted.Add(-1) // before the turn gives it back
					storetest.FinishTurn(t, s, b.TurnID, conversation.Failed)
					continue
				}
				storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
				answers.Add(1)
			}
		})
	}
	work.Wait()
	// What failed was given back, so the rest can still be answered.
	for b, begun := begin(s, keys[0]); begun; b, begun = begin(s, keys[0]) {
		storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
		answers.Add(1)
	}
	if answers.Load() != raceLimit {
		t.Errorf("%d answered, want %d", answers.Load(), raceLimit)
	}
	storetest.Audit(t, s)
}

// TestNoMoreOfALimitIsNamedThanThereIs: while a call runs, another export uses up an end user's own
// limit, and gives it back. A call hashes its end user once for each message, so the hash can play
// the other export.
func TestNoMoreOfALimitIsNamedThanThereIs(t *testing.T) {
	t.Parallel()
	const allowed = 3
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(allowed).Value)
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	storetest.Exec(t, s, `ALTER FUNCTION end_user_hash_1 RENAME TO usual_hash`)
	storetest.Exec(t, s, `CREATE SEQUENCE messages`)
	storetest.Exec(t, s, `CREATE FUNCTION end_user_hash_1(user_id text) RETURNS bytea LANGUAGE plpgsql AS $$
		BEGIN
			UPDATE limit_counters SET used = CASE nextval('messages') WHEN 2 THEN allowed ELSE 1 END;
			RETURN usual_hash(user_id);
		END $$`)
	var call []turns.Begin
	for range 3 {
		b := storetest.NewBegin(f.Key)
		storetest.InOwnSession("u")(&b)
		call = append(call, b)
	}
	got, err := turns.On(s).BeginTurns(t.Context(), call...)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Outcome != turns.Begun || got[1].Outcome != turns.LimitReached || got[2].Outcome != turns.Begun {
		t.Fatalf("%s, %s, %s", got[0].Outcome, got[1].Outcome, got[2].Outcome)
	}
	if got[1].Limit.Used != allowed || got[1].Limit.Allowed != allowed {
		t.Errorf("refused with %+v", got[1].Limit)
	}
	storetest.Audit(t, s)
}

// TestLimitsEndWithTheirPeriod moves the counters and the turns into the period before: the next
// message counts in a new one, and a turn gives back where it was counted.
func TestLimitsEndWithTheirPeriod(t *testing.T) {
	t.Parallel()
	for period, change := range storetest.LimitKinds(2) {
		t.Run(string(period), func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{})
			storetest.SetLimits(t, s, f, change)
			storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			var late uuid.UUID
			storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
				storetest.InOwnSession("u")(b)
				late = b.TurnID
			})
			got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u"))
			day := time.Now().UTC().Truncate(24 * time.Hour)
			ends := day.AddDate(0, 0, 1)
			if period == store.Month {
				ends = day.AddDate(0, 1, 1-day.Day())
			}
			if got.Outcome != turns.LimitReached || !got.Limit.Ends.Equal(ends) && !got.Limit.Ends.Equal(ends.AddDate(0, 0, 1)) {
				t.Errorf("refused with %s, %+v; ends %v", got.Outcome, got.Limit, ends)
			}
			storetest.ExecLater(`WITH t AS (UPDATE turns SET day_counted = day_counted - 1, user_day_counted = user_day_counted - 1,
					month_counted = month_counted - interval '1 month')
				UPDATE limit_counters SET starts = starts - CASE WHEN period = 'MONTH' THEN interval '1 month' ELSE interval '1 day' END`)(t, s, f)
			storetest.Audit(t, s)
			storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			storetest.FinishTurn(t, s, late, conversation.Failed)
			storetest.Audit(t, s)
			storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached || got.Limit.Used != 2 {
				t.Errorf("in the new period: %s %+v", got.Outcome, got.Limit)
			}
		})
	}
}

// TestLimitHoldsForWhatWaitsForIt: messages that wait for the export's row while a limit is set or
// lowered do not begin under the old one.
func TestLimitHoldsForWhatWaitsForIt(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, before := range map[string]agent.ExportChanges{
		"set":     {},
		"lowered": storetest.LimitKinds(100)[store.Day],
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		storetest.SetLimits(t, s, f, before)
		lower := fmt.Sprintf(`UPDATE api_exports SET daily_credit_limit = 1 WHERE id = '%s'`, f.Export.ID)
		var got []turns.BeginResult
		whileLocked(t, s, lower, nil, func() (err error) {
			messages := []turns.Begin{storetest.NewBegin(f.Key), storetest.NewBegin(f.Key)}
			messages[1].Session = "other"
			got, err = turns.On(s).BeginTurns(t.Context(), messages...)
			return err
		})
		if got[0].Outcome != turns.Begun || got[1].Outcome != turns.LimitReached {
			t.Errorf("%s: %s and %s", name, got[0].Outcome, got[1].Outcome)
		}
	}
	storetest.Audit(t, s)
}
