package httpapi

import (
	"sync"

	"agentchat/internal/chat"
)

// Relay passes a reply from its turn to the goroutine that sends it. The turn never waits for the
// client: the relay buffers everything until Take.
type Relay struct {
	news   chan struct{}
	mu     sync.Mutex
	begun  *chat.BegunTurn
	pieces []string
}

var _ chat.Stream = (*Relay)(nil)

// NewRelay returns an empty relay.
func NewRelay() *Relay { return &Relay{news: make(chan struct{}, 1)} }

// Begun implements chat.Stream.
func (r *Relay) Begun(begun chat.BegunTurn) {
	r.mu.Lock()
	r.begun = &begun
	r.mu.Unlock()
	r.notify()
}

// Text implements chat.Stream.
func (r *Relay) Text(piece string) {
	r.mu.Lock()
	r.pieces = append(r.pieces, piece)
	r.mu.Unlock()
	r.notify()
}

func (r *Relay) notify() {
	select {
	case r.news <- struct{}{}:
	default: // already notified
	}
}

// News receives a value when Take has something to return.
func (r *Relay) News() <-chan struct{} { return r.news }

// Take returns the news since the last call: the begun turn, or nil, and pieces of the reply.
func (r *Relay) Take() (begun *chat.BegunTurn, pieces []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, pieces = r.begun, r.pieces
	r.begun, r.pieces = nil, nil
	return begun, pieces
}
