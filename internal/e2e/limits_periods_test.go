package e2e_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// awayFromMidnight waits until the next UTC midnight, at which limits start afresh, is not nearer than a time.
func awayFromMidnight(t testing.TB, far time.Duration) {
	t.Helper()
	if left := time.Until(nextDay(time.Now())); left < far {
		t.Logf("waiting %v for midnight to pass", left)
		<-time.After(left + time.Second)
	}
}

func nextDay(now time.Time) time.Time { return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1) }

// ends is when the kind's current period ends.
func (k limitKind) ends() time.Time {
	day := nextDay(time.Now())
	if k.name != "month" {
		return day
	}
	for day.Day() != 1 {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

// TestLimitsEndWithTheirPeriodOverTwoReplicas: limit_reached says when the limit ends. Once everything that was counted lies in the
// period before, the next message on each replica is accepted, and a turn that fails later gives back where it was counted.
func TestLimitsEndWithTheirPeriodOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "L2")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	const allowed = 4
	refusals := 0
	for range faults.Times(1, 20) {
		for _, kind := range limitKinds {
			l := p.newLimited(t, c, kind, allowed)
			late := make(chan string, 1)
			go func() {
				_, outcome := l.send(0, "[[sandbox fail=error delay=6s]]")
				late <- outcome
			}()
			eventually(t, "a message is under way", func() bool { return l.counters()[0] == 1 })
			answered := l.exhaust(allowed)
			l.expectEnd()
			l.moveBack()
			for replica := range p.replicas {
				if _, outcome := l.send(replica, "hello", allowed); outcome != "200" {
					t.Errorf("%s: in the next period replica %d answers %s", kind.name, replica, outcome)
				}
			}
			next := 2 + l.exhaust(allowed)
			l.expectEnd()
			if got := <-late; got != "model_error" {
				t.Errorf("%s: the message over the end of the period: %s", kind.name, got)
			}
			// Of the period before, and of this one. What ended more than a day ago, as a month may have, is purged.
			want := []int64{allowed - 1, allowed}
			if got := l.counters(); answered != allowed-1 || next != allowed || !slices.Equal(got, want[2-len(got):]) {
				t.Errorf("%s: %d answered, then %d; counters %v, want %v", kind.name, answered, next, got, want)
			}
			if extra := l.exhaust(allowed); extra != 0 {
				t.Errorf("%s: %d more answered after a message of the period before had failed", kind.name, extra)
			}
			l.check(answered+next, 2*allowed-1)
			refusals += int(l.refused.Load())
			t.ran(1)
		}
	}
	storetest.Audit(t, p.store)
	t.measured("each of the three limits held to the end of its period and no longer; %d refusals", refusals)
}

// counters returns what the export's counters hold, oldest first.
func (l *limitedExport) counters() (used []int64) {
	l.t.Helper()
	rows, err := l.pair.store.DB().QueryContext(l.t.Context(),
		`SELECT used FROM limit_counters WHERE export_id = $1 ORDER BY starts`, l.export)
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			l.t.Fatal(err)
		}
		used = append(used, n)
	}
	if rows.Err() != nil || len(used) == 0 {
		used = []int64{0}
	}
	return used
}

// expectEnd checks the time that a refusal names, on each replica.
func (l *limitedExport) expectEnd() {
	l.t.Helper()
	for replica := range l.pair.replicas {
		got, outcome := l.send(replica, "hello")
		if want := l.kind.ends().Format(time.RFC3339); outcome != "limit_reached" || got.Error.Details["resets_at"] != want {
			l.t.Errorf("%s, replica %d: %s, want it to end at %s", l.kind.name, replica, got.Body, want)
		}
	}
}

// moveBack moves what the export has used into the period before.
func (l *limitedExport) moveBack() {
	l.t.Helper()
	_, err := l.pair.store.DB().ExecContext(l.t.Context(), `WITH t AS (
			UPDATE turns SET day_counted = day_counted - 1, user_day_counted = user_day_counted - 1,
				month_counted = month_counted - interval '1 month' WHERE export_id = $1
		) UPDATE limit_counters SET starts = starts - CASE WHEN period = 'MONTH' THEN interval '1 month' ELSE interval '1 day' END
		WHERE export_id = $1`, l.export)
	if err != nil {
		l.t.Fatal(err)
	}
}
