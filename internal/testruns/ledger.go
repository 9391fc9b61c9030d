package testruns

import (
	"sync"

	"agentchat/internal/store/tests"
)

// ledger tracks the cost of a run. It counts each message once, by its idempotency key, however often
// the message is sent.
type ledger struct {
	budget int64

	mu sync.Mutex
	// charged has the cost of messages, and held the prices of messages that an earlier claim left in
	// flight. spent and pending are the sums of both. spent also has charges whose messages were erased.
	charged, held  map[string]int64
	spent, pending int64
	// reserved is the most that this claim's messages in flight can add, and inFlight their number.
	reserved int64
	inFlight int
	// changed is closed when a message has ended.
	changed chan struct{}
}

func newLedger(budget int64) *ledger {
	return &ledger{
		budget:  budget,
		charged: map[string]int64{},
		held:    map[string]int64{},
		changed: make(chan struct{}),
	}
}

// update adds the charges that the ledger does not have yet, and replaces the messages in flight.
func (l *ledger) update(charges []tests.RunCharge) {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.held)
	l.pending = 0
	for _, c := range charges {
		switch {
		case c.Pending:
			l.held[c.Key] = c.Price
			l.pending += c.Price
		case l.charged[c.Key] == 0:
			l.charged[c.Key] = c.Price
			l.spent += c.Price
		}
	}
}

// inFlightBefore reports whether a message that an earlier claim left in flight has not ended.
func (l *ledger) inFlightBefore() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.held) > 0
}

// reserve reserves the price of a message. done ends the reservation with the message's actual cost. If
// the price does not fit the budget, done is nil. wait is then closed when it may fit; a nil wait means
// that it never will.
func (l *ledger) reserve(key string, price int64) (done func(credits int64), wait <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	more := max(price-l.charged[key]-l.held[key], 0)
	if l.spent+l.pending+l.reserved+more > l.budget {
		if l.inFlight == 0 {
			return nil, nil
		}
		return nil, l.changed
	}
	l.reserved += more
	l.inFlight++
	return func(credits int64) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.reserved -= more
		l.inFlight--
		l.pending -= l.held[key]
		delete(l.held, key)
		if credits > 0 { // the failure of a replay gives nothing back
			l.spent += credits - l.charged[key]
			l.charged[key] = credits
		}
		close(l.changed)
		l.changed = make(chan struct{})
	}, nil
}

// total returns the cost of the run so far.
func (l *ledger) total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}
