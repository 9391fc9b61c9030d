package circuit

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// want is a simple model of the circuit that stores every attempt with its time.
type want struct {
	attempts []struct {
		at     time.Duration
		outage bool
	}
	open    bool
	probing bool
	due     time.Duration
}

func (w *want) opens(now time.Duration) bool {
	all, outages := 0, 0
	for _, a := range w.attempts {
		if now-a.at < span {
			all++
			if a.outage {
				outages++
			}
		}
	}
	return all >= 5 && 2*outages >= all
}

// runningCall is a running call with the age in which it began.
type runningCall struct {
	pass   pass
	age    int
	probe  bool
	freed  bool
	outage bool
}

// TestState compares the state machine with the simple model, for random sequences of calls,
// attempts, ends and waits.
func TestState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s state
		var w want
		var calls []*runningCall
		now, age := time.Duration(0), 0
		turn := func(open bool) {
			w, age = want{open: open, due: now + 10*time.Second}, age+1
		}
		pick := func(t *rapid.T) *runningCall {
			if len(calls) == 0 {
				t.Skip("no call is running")
			}
			return calls[rapid.IntRange(0, len(calls)-1).Draw(t, "call")]
		}
		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) { now += bucket * time.Duration(rapid.IntRange(0, 150).Draw(t, "buckets")) },
			"call": func(t *rapid.T) {
				p, retryAfter, ok := s.letThrough(now)
				refused := w.open && (w.probing || now < w.due)
				if ok == refused {
					t.Fatalf("let through: %t, want %t", ok, !refused)
				}
				if refused {
					if retryAfter < time.Second || retryAfter > 10*time.Second ||
						!w.probing && retryAfter < w.due-now {
						t.Fatalf("retry in %s, but a probe is due in %s", retryAfter, w.due-now)
					}
					return
				}
				calls = append(calls, &runningCall{pass: p, age: age, probe: w.open})
				w.probing = w.open
			},
			"attempt": func(t *rapid.T) {
				c, outage := pick(t), rapid.Bool().Draw(t, "outage")
				changed, before := s.attempted(c.pass, now, outage), w.open
				switch {
				case c.age != age:
				case w.open && !outage:
					turn(false)
				case w.open:
					c.outage = true
				default:
					w.attempts = append(w.attempts, struct {
						at     time.Duration
						outage bool
					}{now, outage})
					if w.opens(now) {
						turn(true)
					}
				}
				if changed != (w.open != before) {
					t.Fatalf("changed: %t, from %t to %t", changed, before, w.open)
				}
			},
			"end": func(t *rapid.T) {
				c := pick(t)
				s.ended(c.pass, now, c.outage)
				if c.age == age && c.probe && !c.freed {
					w.probing, w.due, c.freed = false, now, true
					if c.outage {
						w.due += 10 * time.Second
					}
				}
				if rapid.Bool().Draw(t, "gone") { // otherwise it can still report
					calls = slices.DeleteFunc(calls, func(other *runningCall) bool { return other == c })
				}
			},
			"": func(t *rapid.T) {
				if s.open != w.open {
					t.Fatalf("open: %t, want %t", s.open, w.open)
				}
				if _, away := s.away(now); away != (w.open && (w.probing || now < w.due)) {
					t.Fatalf("away: %t", away)
				}
			},
		})
	})
}

// TestWindow compares the counts with a list, also when the clock is set back.
func TestWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var w window
		var at []time.Duration
		var newest time.Duration
		for range rapid.IntRange(1, 60).Draw(t, "attempts") {
			now := max(newest+time.Duration(rapid.Int64Range(-int64(time.Second),
				int64(40*time.Second)).Draw(t, "later")), 0)
			w.add(now, true)
			newest = max(newest, now)
			at = append(at, newest)
			var young, notOld int
			for _, a := range at {
				if newest-a <= span-bucket {
					young++
				}
				if newest-a < span+bucket {
					notOld++
				}
			}
			if w.attempts != w.outages || w.attempts < young || w.attempts > notOld {
				t.Fatalf("%d attempts, want %d to %d", w.attempts, young, notOld)
			}
		}
	})
}
