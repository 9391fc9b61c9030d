package chat

import (
	"context"
	"sync"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
)

// broadcast passes a streamed reply to the requests that join its turn. It waits for none of them.
type broadcast struct {
	mu sync.Mutex
	// text is all text so far.
	text    string
	readers map[*reader]struct{}
}

// reader is a joined request that receives text as it arrives. lost is closed when there is no
// memory for its text, which ends only this reader.
type reader struct {
	request *turn
	lost    chan struct{}
}

// broadcastOf returns the broadcast of a message; nil if no request can join its stream.
func broadcastOf(msg Message) *broadcast {
	if msg.Stream == nil || msg.IdempotencyKey == "" {
		return nil
	}
	return &broadcast{readers: map[*reader]struct{}{}}
}

// send passes on what whole adds to the text sent before.
func (b *broadcast) send(whole string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	piece := whole[len(b.text):]
	b.text = whole
	for r := range b.readers {
		b.pass(r, piece)
	}
}

// join adds a request, which receives the text so far at once. After leave it receives nothing.
func (b *broadcast) join(t *turn) (r *reader, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r = &reader{request: t, lost: make(chan struct{})}
	b.readers[r] = struct{}{}
	if b.text != "" {
		b.pass(r, b.text)
	}
	return r, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.readers, r)
	}
}

// pass passes a piece to a reader, or ends the reader if memory is short. The caller holds the
// lock.
func (b *broadcast) pass(r *reader, piece string) {
	if r.request.reservePiece(piece) != nil {
		close(r.lost)
		delete(b.readers, r)
		return
	}
	r.request.msg.Stream.Text(piece)
}

// joinLive streams the reply of a turn that this process streams to its first request, and returns
// that turn's own result. Faults: that of the turn, RequestInProgress after the wait, Unavailable
// when the client left or memory is short.
func (s *Service) joinLive(wait context.Context, t, first *turn) (*Answer, error) {
	r, leave := first.delivery.readers.join(t)
	defer leave()
	started := time.Now()
	select {
	case <-first.ended:
	case <-r.lost:
	case <-wait.Done():
		return nil, waitOver(wait)
	}
	t.waited += time.Since(started)
	select {
	case <-r.lost: // its text has a gap, even if the turn has ended
		return nil, memory.UsedUp()
	default:
	}
	if answer := first.result.Answer; answer != nil {
		replayed := *answer
		replayed.Replayed = true
		return &replayed, nil
	}
	if !t.msg.Source.IsAPI() {
		t.joinedFailed = first.result.FailedTurn
	}
	return nil, joinedFault(fault.KindOf(first.err))
}
