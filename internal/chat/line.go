package chat

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
)

// maxKnownKeys bounds the memory of which key leads to which agent.
const maxKnownKeys = 65_536

// lines holds a FIFO line for each conversation that has a message under way in this process. Conversations belong to agents,
// but a request brings a key: which agent it leads to is remembered from earlier requests. That memory only finds the line. It
// never accepts a key; only the database does.
type lines struct {
	mu         sync.Mutex
	maxWaiting int
	byKey      map[apikey.Hash]*group
	byAgent    map[uuid.UUID]*group
	// behind counts the places that are not the first of their line.
	behind int
}

// group is the lines of one agent, or of one key whose agent is not known yet.
type group struct {
	key      apikey.Hash
	agent    uuid.UUID
	sessions map[string]*line
}

// line is the places taken for one conversation, in the order of arrival; the first is the one that may go.
type line struct {
	places []*place
}

// place is one message's place in a line. A nil place belongs to a message that has nobody to wait for.
type place struct {
	lines   *lines
	group   *group
	session string
	ready   chan struct{}
	full    bool
}

func newLines(maxWaiting int) *lines {
	return &lines{maxWaiting: maxWaiting, byKey: map[apikey.Hash]*group{}, byAgent: map[uuid.UUID]*group{}}
}

// enter takes the next place in the line of a key's session. Over the limit the place is marked full and stands in no line.
func (l *lines) enter(key apikey.Hash, session string) *place {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.byKey[key]
	if g == nil {
		g = &group{key: key, sessions: map[string]*line{}}
		l.byKey[key] = g
	}
	return l.take(g, session)
}

// enterPlayground takes the next place in the line of an agent's session in the playground, whose labels are of its own.
func (l *lines) enterPlayground(agent uuid.UUID, session string) *place {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.byAgent[agent]
	if g == nil {
		g = &group{agent: agent, sessions: map[string]*line{}}
		l.byAgent[agent] = g
	}
	return l.take(g, "\x00playground\x00"+session) // no label holds a control character
}

// take adds a place to a line. The caller holds the lock.
func (l *lines) take(g *group, session string) *place {
	p := &place{lines: l, group: g, session: session, ready: make(chan struct{})}
	queue := g.sessions[session]
	if queue == nil {
		queue = &line{}
		g.sessions[session] = queue
	}
	if len(queue.places) > l.maxWaiting {
		p.full = true
		return p
	}
	queue.places = append(queue.places, p)
	if len(queue.places) == 1 {
		close(p.ready)
	} else {
		l.behind++
	}
	return p
}

// learn remembers which agent a valid key leads to. A second key of an agent joins the first one's lines from its next
// message on; the database keeps the two apart until then.
func (l *lines) learn(key apikey.Hash, agent uuid.UUID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.byKey[key]
	if g == nil || g.agent == agent {
		return
	}
	if known := l.byAgent[agent]; known != nil {
		l.byKey[key] = known
		return
	}
	g.agent = agent
	l.byAgent[agent] = g
	l.forgetSome()
}

// forgetSome keeps the memory bounded: lines with messages in them stay.
func (l *lines) forgetSome() {
	if len(l.byKey) <= maxKnownKeys {
		return
	}
	for key, g := range l.byKey {
		if len(g.sessions) == 0 {
			delete(l.byKey, key)
			delete(l.byAgent, g.agent)
		}
		if len(l.byKey) <= maxKnownKeys/2 {
			return
		}
	}
}

// waiting is how many places are not the first of their line.
func (l *lines) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.behind
}

// mustWait reports whether somebody is ahead.
func (p *place) mustWait() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.ready:
		return false
	default:
		return true
	}
}

// wait returns when the place is the first. Faults: SessionBusy when the line was full or the deadline passes, Unavailable
// when the client left.
func (p *place) wait(ctx context.Context, deadline time.Time) error {
	if p.full {
		return sessionBusy()
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-p.ready:
		return nil
	case <-timer.C:
		return sessionBusy()
	case <-ctx.Done():
		return fault.Wrap(fault.Unavailable, ctx.Err())
	}
}

// othersWait reports whether a message waits behind this place.
func (p *place) othersWait() bool {
	if p == nil {
		return false
	}
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	queue := p.group.sessions[p.session]
	return queue != nil && len(queue.places) > 1
}

// leave gives the place up, wherever it stands; if it was the first, the next may go.
func (p *place) leave() {
	if p == nil {
		return
	}
	p.lines.mu.Lock()
	defer p.lines.mu.Unlock()
	queue := p.group.sessions[p.session]
	if queue == nil {
		return
	}
	for i, other := range queue.places {
		if other == p {
			queue.places = append(queue.places[:i], queue.places[i+1:]...)
			if len(queue.places) > 0 {
				p.lines.behind--
			}
			if i == 0 && len(queue.places) > 0 {
				close(queue.places[0].ready)
			}
			break
		}
	}
	if len(queue.places) == 0 {
		delete(p.group.sessions, p.session)
		p.lines.forgetUnknown(p.group)
	}
}

// forgetUnknown drops an empty group that no valid key leads to, so that made-up keys and playgrounds leave nothing behind.
func (l *lines) forgetUnknown(g *group) {
	switch {
	case len(g.sessions) > 0:
	case g.agent == uuid.Nil && l.byKey[g.key] == g:
		delete(l.byKey, g.key)
	case g.key == apikey.Hash{} && l.byAgent[g.agent] == g:
		delete(l.byAgent, g.agent)
	}
}
