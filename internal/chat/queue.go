package chat

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// maxKnownKeys bounds the keys whose agent or account is remembered.
const maxKnownKeys = 65_536

// sessionQueues holds a FIFO queue for each conversation with a message in flight in this process.
// Conversations belong to agents, but a request has a key, whose agent is remembered from earlier
// requests. That memory only finds the queue: the database alone accepts a key.
type sessionQueues struct {
	mu         sync.Mutex
	maxWaiting int
	byKey      map[apikey.Hash]*agentQueues
	byAgent    map[uuid.UUID]*agentQueues
	// behind counts the tickets that are not the first of their queue.
	behind int
}

// agentQueues are the queues of one agent, or of one key whose agent is unknown, by session.
type agentQueues struct {
	key      apikey.Hash
	agent    uuid.UUID
	sessions map[string][]*ticket
}

// ticket is one message's position in a queue. A message that need not wait has a nil ticket.
type ticket struct {
	all     *sessionQueues
	agent   *agentQueues
	session string
	// ready is closed when the ticket is the first of its queue.
	ready chan struct{}
	// rejected means that the queue was full: the ticket is not in it.
	rejected bool
}

func newSessionQueues(maxWaiting int) *sessionQueues {
	return &sessionQueues{maxWaiting: maxWaiting, byKey: map[apikey.Hash]*agentQueues{}, byAgent: map[uuid.UUID]*agentQueues{}}
}

// join appends a ticket to the queue of a key's session.
func (q *sessionQueues) join(key apikey.Hash, session string) *ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.byKey[key]
	if a == nil {
		a = &agentQueues{key: key, sessions: map[string][]*ticket{}}
		q.byKey[key] = a
	}
	return q.add(a, session)
}

// joinAgent appends a ticket to the queue of an agent's session, for a source without keys. Each
// source has its own session IDs.
func (q *sessionQueues) joinAgent(source conversation.Source, agent uuid.UUID, session string) *ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.byAgent[agent]
	if a == nil {
		a = &agentQueues{agent: agent, sessions: map[string][]*ticket{}}
		q.byAgent[agent] = a
	}
	return q.add(a, "\x00"+string(source)+"\x00"+session) // session IDs contain no control characters
}

// add appends a ticket to a queue. The caller holds the lock.
func (q *sessionQueues) add(a *agentQueues, session string) *ticket {
	t := &ticket{all: q, agent: a, session: session, ready: make(chan struct{})}
	ahead := len(a.sessions[session])
	if ahead > q.maxWaiting {
		t.rejected = true
		return t
	}
	a.sessions[session] = append(a.sessions[session], t)
	if ahead == 0 {
		close(t.ready)
	} else {
		q.behind++
	}
	return t
}

// recordAgent remembers the agent of a valid key. A second key of an agent uses the first one's
// queues from its next message on. Until then the database keeps their messages in order.
func (q *sessionQueues) recordAgent(key apikey.Hash, agent uuid.UUID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.byKey[key]
	if a == nil || a.agent == agent {
		return
	}
	if known := q.byAgent[agent]; known != nil {
		q.byKey[key] = known
		return
	}
	a.agent = agent
	q.byAgent[agent] = a
	q.evict()
}

// evict keeps the memory bounded. Queues with messages in them stay.
func (q *sessionQueues) evict() {
	if len(q.byKey) <= maxKnownKeys {
		return
	}
	for key, a := range q.byKey {
		if len(a.sessions) == 0 {
			delete(q.byKey, key)
			delete(q.byAgent, a.agent)
		}
		if len(q.byKey) <= maxKnownKeys/2 {
			return
		}
	}
}

// waiting returns the number of tickets that are not the first of their queue.
func (q *sessionQueues) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.behind
}

// mustWait reports whether the ticket is not the first.
func (t *ticket) mustWait() bool {
	if t == nil {
		return false
	}
	select {
	case <-t.ready:
		return false
	default:
		return true
	}
}

// wait returns when the ticket is the first. Faults: SessionBusy when the queue was full or the
// deadline passes, Unavailable when the client left.
func (t *ticket) wait(ctx context.Context, deadline time.Time) error {
	if t.rejected {
		return sessionBusy()
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-t.ready:
		return nil
	case <-timer.C:
		return sessionBusy()
	case <-ctx.Done():
		return fault.Wrap(fault.Unavailable, ctx.Err())
	}
}

// leave removes the ticket from its queue, wherever it is. If it was the first, the next one is
// ready.
func (t *ticket) leave() {
	if t == nil {
		return
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	queue := t.agent.sessions[t.session]
	i := slices.Index(queue, t)
	if i < 0 {
		return
	}
	queue = slices.Delete(queue, i, i+1)
	if len(queue) == 0 {
		delete(t.agent.sessions, t.session)
		t.all.forgetUnknown(t.agent)
		return
	}
	t.agent.sessions[t.session] = queue
	t.all.behind--
	if i == 0 {
		close(queue[0].ready)
	}
}

// forgetUnknown drops the empty queues of a key that was never accepted, or of an agent without one.
func (q *sessionQueues) forgetUnknown(a *agentQueues) {
	switch {
	case len(a.sessions) > 0:
	case a.agent == uuid.Nil && q.byKey[a.key] == a:
		delete(q.byKey, a.key)
	case a.key == apikey.Hash{} && q.byAgent[a.agent] == a:
		delete(q.byAgent, a.agent)
	}
}
