package bridge

import (
	"sync"

	"agentchat/internal/apikey"
)

const (
	// maxRequests is the most requests in flight, and maxOfKey the most of one key.
	maxRequests, maxOfKey = 1_024, 256
)

// inFlight counts the requests.
type inFlight struct {
	mu   sync.Mutex
	all  int
	keys map[apikey.Hash]int
	// idle is closed and replaced when the last request ends.
	idle chan struct{}
}

func newInFlight() *inFlight {
	return &inFlight{keys: map[apikey.Hash]int{}, idle: make(chan struct{})}
}

// enter reports whether the limits admit one more request of a key.
func (f *inFlight) enter(key apikey.Hash) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all >= maxRequests || f.keys[key] >= maxOfKey {
		return false
	}
	f.all++
	f.keys[key]++
	return true
}

// leave ends a request that has entered.
func (f *inFlight) leave(key apikey.Hash) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.keys[key]--; f.keys[key] == 0 {
		delete(f.keys, key)
	}
	if f.all--; f.all == 0 {
		close(f.idle)
		f.idle = make(chan struct{})
	}
}

// state returns the number of requests, and a channel that is closed when the last one ends.
func (f *inFlight) state() (all int, idle <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all, f.idle
}
