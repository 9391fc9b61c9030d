package turns_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestLimitsAreExactUnderRaces: many messages race over two replicas, and a third of them fail.
// Exactly as many are answered as the limit allows, and never more are in flight or answered.
func TestLimitsAreExactUnderRaces(t *testing.T) {
	t.Parallel()
	for period, change := range storetest.LimitKinds(raceLimit) {
		t.Run(string(period), func(t *testing.T) {
			t.Parallel()
			raceForLimit(t, period, func(s *store.DB, f storetest.Fixture) []apikey.Key {
				storetest.SetLimits(t, s, f, change)
				return []apikey.Key{f.Key}
			})
		})
	}
	t.Run("an end user's own", func(t *testing.T) {
		t.Parallel()
		raceForLimit(t, store.UserDay, func(s *store.DB, f storetest.Fixture) []apikey.Key {
			other := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
			_, _, second := storetest.SeedExport(t, s, f.Account.ID, other.ID, agent.MaxRatePerMinute)
			storetest.SetLimits(t, s, f, storetest.LimitKinds(1)[store.UserDay]) // which it replaces
			storetest.SetOwnLimit(t, s, f, "u", storetest.SetTo(raceLimit).Value)
			return []apikey.Key{f.Key, second}
		})
	})
}

// raceLimit is the limit for the racing messages.
const raceLimit = 15

// raceForLimit sets a limit and sends messages with the keys that set returns.
func raceForLimit(t *testing.T, period store.Period, set func(*store.DB, storetest.Fixture) []apikey.Key) {
	t.Helper()
	const allowed, messages, workers = raceLimit, 90, 8
	url := storetest.URL(t)
	replicas := []*store.DB{storetest.Open(t, url), storetest.Open(t, url)}
	s := replicas[0]
	f := storetest.Seed(t, s, storetest.Options{Credits: 1_000})
	keys := set(s, f)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var counted, answers atomic.Int64
	var work sync.WaitGroup
	for w := range workers {
		random, s := rand.New(rand.NewPCG(seed, uint64(w))), replicas[w%len(replicas)]
		work.Go(func() {
			for i := range messages / workers {
				b := storetest.NewBegin(keys[(w+i)%len(keys)])
				storetest.InOwnSession("u")(&b)
				got, err := turns.On(s).BeginTurn(t.Context(), b)
				for err == nil && got.Outcome == turns.Retry {
					got, err = turns.On(s).BeginTurn(t.Context(), b)
				}
				switch {
				case err != nil:
					t.Error(err)
				case got.Outcome == turns.LimitReached:
					if got.Limit.Period != period || got.Limit.Allowed != allowed || got.Limit.Used != allowed {
						t.Errorf("refused with %+v", got.Limit)
					}
				case got.Outcome != turns.Begun:
					t.Errorf("begin: %s", got.Outcome)
				default:
					if n := counted.Add(1); n > allowed {
						t.Errorf("%d in flight or answered", n)
					}
					if random.IntN(3) == 0 {
						counted.Add(-1) // before the turn gives it back
						storetest.FinishTurn(t, s, b.TurnID, conversation.Failed)
					} else {
						storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
						answers.Add(1)
					}
				}
			}
		})
	}
	work.Wait()
	// What failed was given back, so the rest can still be answered.
	for {
		b := storetest.NewBegin(f.Key)
		storetest.InOwnSession("u")(&b)
		got, err := turns.On(s).BeginTurn(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		if got.Outcome == turns.LimitReached {
			break
		}
		storetest.FinishTurn(t, s, b.TurnID, conversation.Answered)
		answers.Add(1)
	}
	if answers.Load() != allowed {
		t.Errorf("%d answered, want %d", answers.Load(), allowed)
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

// TestLimitSetInMidPeriod: a credit limit counts the credits charged and held so far in the period;
// a limit for end users begins at zero.
func TestLimitSetInMidPeriod(t *testing.T) {
	t.Parallel()
	for period, change := range storetest.LimitKinds(4) {
		t.Run(string(period), func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{})
			for range 2 {
				storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			}
			underWay := storetest.NewBegin(f.Key)
			storetest.InOwnSession("u")(&underWay)
			if got, err := turns.On(s).BeginTurn(t.Context(), underWay); err != nil || got.Outcome != turns.Begun {
				t.Fatal(got, err)
			}
			left := 4
			for range 2 { // the second time after it was removed
				storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: agent.Change[int64]{Set: true},
					MonthlyCreditLimit: agent.Change[int64]{Set: true}, UserDailyMessageLimit: agent.Change[int]{Set: true}})
				storetest.SetLimits(t, s, f, change)
				if period != store.UserDay {
					left = 1
				}
				storetest.Audit(t, s)
			}
			for range left {
				storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			}
			if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached {
				t.Errorf("beyond the limit: %s", got.Outcome)
			}
			storetest.FinishTurn(t, s, underWay.TurnID, conversation.Failed)
			storetest.Audit(t, s)
			// What the failed message had counted is free again, where it had counted.
			got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u"))
			if counted := period != store.UserDay; counted != (got.Outcome == turns.Begun) {
				t.Errorf("after the failure: %s", got.Outcome)
			}
			storetest.Audit(t, s)
		})
	}
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
			late := storetest.NewBegin(f.Key)
			storetest.InOwnSession("u")(&late)
			if got, err := turns.On(s).BeginTurn(t.Context(), late); err != nil || got.Outcome != turns.Begun {
				t.Fatal(got, err)
			}
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
			storetest.FinishTurn(t, s, late.TurnID, conversation.Failed)
			storetest.Audit(t, s)
			storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
			if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached || got.Limit.Used != 2 {
				t.Errorf("in the new period: %s %+v", got.Outcome, got.Limit)
			}
		})
	}
}

// TestLimitHoldsForWhatWaitsForIt: a message that waits for the export's row while a limit is set
// or lowered does not begin under the old one.
func TestLimitHoldsForWhatWaitsForIt(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]agent.ExportChanges{"set": {}, "lowered": storetest.LimitKinds(100)[store.Day]} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{})
			storetest.SetLimits(t, s, f, before)
			tx, err := s.SQL().BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), `UPDATE api_exports SET daily_credit_limit = 1 WHERE id = $1`, f.Export.ID); err != nil {
				t.Fatal(err)
			}
			const messages = 3
			outcomes := make(chan turns.Outcome, messages)
			for range messages {
				go func() {
					b := storetest.NewBegin(f.Key)
					storetest.InOwnSession("u")(&b)
					got, err := turns.On(s).BeginTurn(t.Context(), b)
					for err == nil && got.Outcome == turns.Retry {
						got, err = turns.On(s).BeginTurn(t.Context(), b)
					}
					if err != nil {
						t.Error(err)
					}
					outcomes <- got.Outcome
				}()
			}
			waiting := 0
			for waiting < messages {
				err := tx.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
					WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tx.ExecContext(t.Context(), `SELECT pg_stat_clear_snapshot()`); err != nil {
					t.Fatal(err)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			got := map[turns.Outcome]int{}
			for range messages {
				got[<-outcomes]++
			}
			if got[turns.Begun] != 1 || got[turns.LimitReached] != messages-1 {
				t.Errorf("%v, want 1 begun", got)
			}
			storetest.Audit(t, s)
		})
	}
}

// TestReaperGivesBack: a turn that is never settled does not count against any limit.
func TestReaperGivesBack(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	credits, messages := int64(3), 3
	storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(credits), MonthlyCreditLimit: storetest.SetTo(credits),
		UserDailyMessageLimit: storetest.SetTo(messages)})
	for range messages {
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { storetest.InOwnSession("u")(b); b.HoldFor = -time.Second })
	}
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("u")); got.Outcome != turns.LimitReached {
		t.Errorf("before: %s", got.Outcome)
	}
	if n, err := turns.On(s).ReapTurns(t.Context(), 10); n != messages || err != nil {
		t.Errorf("reaped %d %v", n, err)
	}
	storetest.Audit(t, s)
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("u"))
	storetest.Audit(t, s)
}
