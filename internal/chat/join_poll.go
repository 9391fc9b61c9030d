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
	// stop ends the goroutine; nil while none runs.
	stop context.CancelFunc
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
	if p.stop == nil {
		var ctx context.Context
		ctx, p.stop = context.WithCancel(context.Background())
		go p.poll(ctx)
	}
	return t.ended, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if t.waiting--; t.waiting == 0 && p.turns[id] == t {
			p.remove(id)
		}
	}, true
}

// remove forgets a turn, and ends the goroutine after the last one. The caller holds the lock.
func (p *endPolls) remove(id uuid.UUID) {
	delete(p.turns, id)
	if len(p.turns) == 0 {
		p.stop()
		p.stop = nil
	}
}

func (p *endPolls) poll(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		p.mu.Lock()
		ids := slices.Collect(maps.Keys(p.turns))
		p.mu.Unlock()
		// Canceling a statement would cost its connection. After an error, the next poll asks again.
		ended, _ := p.ask(context.WithoutCancel(ctx), ids)
		p.notify(ctx, ended)
	}
}

func (p *endPolls) notify(ctx context.Context, ended []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ended {
		if t := p.turns[id]; t != nil && ctx.Err() == nil {
			close(t.ended)
			p.remove(id)
		}
	}
}
