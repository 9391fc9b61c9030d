package chat

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// pollEvery is the interval of the polls.
	pollEvery = 500 * time.Millisecond
	// maxPolled bounds the turns of one poll.
	maxPolled = 1_000
)

// endPolls polls the database for the ends of turns that other replicas answer. While requests
// wait, one goroutine asks for all of these turns together.
type endPolls struct {
	// ask returns those of the turns that have ended.
	ask func(context.Context, []uuid.UUID) ([]uuid.UUID, error)

	mu    sync.Mutex
	turns map[uuid.UUID]*polledTurn
	// running says that the goroutine runs.
	running bool
}

func newEndPolls(ask func(context.Context, []uuid.UUID) ([]uuid.UUID, error)) *endPolls {
	return &endPolls{ask: ask, turns: map[uuid.UUID]*polledTurn{}}
}

// polledTurn is a turn with the number of waiting requests. ended is closed at its end.
type polledTurn struct {
	ended   chan struct{}
	waiting int
}

// enter adds a request that waits for a turn. ok is false for more than maxPolled turns.
func (p *endPolls) enter(id uuid.UUID) (ended <-chan struct{}, leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.turns[id]
	if t == nil {
		if len(p.turns) >= maxPolled {
			return nil, nil, false
		}
		t = &polledTurn{ended: make(chan struct{})}
		p.turns[id] = t
	}
	t.waiting++
	if !p.running {
		p.running = true
		go p.poll()
	}
	return t.ended, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if t.waiting--; t.waiting == 0 && p.turns[id] == t {
			delete(p.turns, id)
		}
	}, true
}

// poll asks until no request waits.
func (p *endPolls) poll() {
	for ids := p.next(); ids != nil; ids = p.next() {
		ended, _ := p.ask(context.Background(), ids) // after an error it asks again
		p.notify(ended)
	}
}

// next waits for the next poll, and returns its turns. Without any it returns nil, and poll ends.
func (p *endPolls) next() []uuid.UUID {
	<-time.After(pollEvery)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = len(p.turns) > 0
	return slices.Collect(maps.Keys(p.turns))
}

func (p *endPolls) notify(ended []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ended {
		if t := p.turns[id]; t != nil {
			close(t.ended)
			delete(p.turns, id)
		}
	}
}
