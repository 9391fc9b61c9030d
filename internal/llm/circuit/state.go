package circuit

import "time"

const (
	// leastAttempts is the least number of attempts that can open the circuit.
	leastAttempts = 5
	// probeEvery is the time between two probes.
	probeEvery = 10 * time.Second
	// shortestRetry is the shortest wait that a refusal asks for.
	shortestRetry = time.Second
)

// pass identifies a call when it reports.
type pass struct {
	// age is the age of the circuit when the call was let through. Reports of an earlier age are
	// ignored.
	age   int64
	probe int64 // the number of the probe; 0 for a call through a closed circuit
}

// state is the circuit as a pure state machine, without clock, lock and model. Times are relative
// to an epoch that the caller chooses.
type state struct {
	window window
	age    int64 // counts openings and closings
	open   bool
	// probe is the number of the current probe, 0 for none. probes counts all probes.
	probe, probes int64
	// probeAt is the time of the next probe, even if the current one fails at once.
	probeAt time.Duration
}

// letThrough lets a call through, or refuses it and returns the wait until the next attempt.
func (s *state) letThrough(now time.Duration) (p pass, retryAfter time.Duration, ok bool) {
	if !s.open {
		return pass{age: s.age}, 0, true
	}
	if retryAfter, away := s.away(now); away {
		return pass{}, retryAfter, false
	}
	s.probes++
	s.probe, s.probeAt = s.probes, now+probeEvery
	return pass{age: s.age, probe: s.probe}, 0, true
}

// away reports whether a call would be refused now, and the wait until the next attempt.
func (s *state) away(now time.Duration) (retryAfter time.Duration, away bool) {
	if !s.open || s.probe == 0 && now >= s.probeAt {
		return 0, false
	}
	return max(s.probeAt-now, shortestRetry), true
}

// attempted records the outcome of an attempt, and reports whether it opened or closed the circuit.
// An answer to a probe closes the circuit, however late it arrives. An outage does not end a probe,
// because the adapter may retry; the end of the call does.
func (s *state) attempted(p pass, now time.Duration, outage bool) (changed bool) {
	switch {
	case p.age != s.age:
		return false
	case s.open:
		if !outage {
			s.turn(false)
		}
		return !outage
	}
	s.window.add(now, outage)
	if s.window.attempts < leastAttempts || 2*s.window.outages < s.window.attempts {
		return false
	}
	s.turn(true)
	s.probeAt = now + probeEvery
	return true
}

// ended records the end of a call. After a failed probe, the circuit stays open for another
// interval. After a canceled probe, the next call is a probe.
func (s *state) ended(p pass, now time.Duration, failed bool) {
	if p.age != s.age || p.probe == 0 || p.probe != s.probe {
		return
	}
	s.probe, s.probeAt = 0, now
	if failed {
		s.probeAt = now + probeEvery
	}
}

// turn opens or closes the circuit, and starts a new age with an empty window.
func (s *state) turn(open bool) {
	s.window = window{}
	s.open, s.probe = open, 0
	s.age++
}
