package circuit

import "time"

const (
	// leastAttempts is how many attempts say anything at all.
	leastAttempts = 5
	// probeEvery is how often a model that is away is asked whether it is back.
	probeEvery = 10 * time.Second
	// shortestRetry is the least that a refused caller is told to wait.
	shortestRetry = time.Second
)

// pass is what a call that was let through shows again when it reports.
type pass struct {
	// age counts openings and closings: what a call tells of an age that is over says nothing of this one.
	age   int64
	probe int64 // the probe's number; 0 for a call through a closed circuit
}

// state is the circuit as a pure machine: it knows no clock, no lock and no model. Times are since an epoch of the caller's.
type state struct {
	window window
	age    int64
	open   bool
	// probe is the number of the probe under way, 0 when there is none; probes numbers them.
	probe, probes int64
	// probeAt is when the next probe is due. While one is under way it is when the next would be, if that one failed at once.
	probeAt time.Duration
}

// admit lets a call through or refuses it, saying when to come again.
func (s *state) admit(now time.Duration) (p pass, retryAfter time.Duration, ok bool) {
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

// away reports whether a call would be refused now, and when to come again.
func (s *state) away(now time.Duration) (retryAfter time.Duration, away bool) {
	if !s.open || s.probe == 0 && now >= s.probeAt {
		return 0, false
	}
	return max(s.probeAt-now, shortestRetry), true
}

// attempted takes in how an attempt of a call ended; it reports whether that opened or closed the circuit. An answer to a probe
// closes it, however late it comes. An outage does not end a probe, which may try again: the end of its call does.
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

// ended takes in the end of a call. A probe that failed keeps the circuit open for another interval; one that was given up
// says nothing, and the next call is a probe.
func (s *state) ended(p pass, now time.Duration, failed bool) {
	if p.age != s.age || p.probe == 0 || p.probe != s.probe {
		return
	}
	s.probe, s.probeAt = 0, now
	if failed {
		s.probeAt = now + probeEvery
	}
}

// turn opens or closes the circuit and begins a new age with an empty window.
func (s *state) turn(open bool) {
	s.window = window{}
	s.open, s.probe = open, 0
	s.age++
}
