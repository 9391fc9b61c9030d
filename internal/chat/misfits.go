package chat

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

const (
	// mostMisfits is how many replies of a version may not fit its schema within a minute if they are more than half of all.
	mostMisfits = 10
	// refuseMisfits is how long a version is then refused.
	refuseMisfits = time.Minute
	// maxShaped bounds how many versions are remembered, of about 1 KiB each.
	maxShaped = 4096
)

// hardlyFits refuses a message to a version with too many misfits. Its message says what helps, because waiting alone seldom does.
func hardlyFits(retryAfter time.Duration) error {
	return &fault.Error{Kind: fault.ModelUnavailable, RetryAfter: retryAfter, Message: "The agent's replies hardly ever fit its reply " +
		"schema or its actions, so its messages are refused for a minute. Nothing was charged. The agent's owner has to change the " +
		"schemas, the instructions or the model."}
}

// misfits counts how often the replies of a version fit its reply schema: one that no model meets would be free calls of a model, again and
// again. Each replica counts for itself.
type misfits struct {
	mu       sync.Mutex
	versions *simplelru.LRU[version, *fits]
	// refusals is how many versions are refused, or were until a while ago: nobody waits for the lock while there are none.
	refusals atomic.Int64
	now      func() time.Time
}

func newMisfits(now func() time.Time) *misfits {
	m := &misfits{now: now}
	m.versions, _ = simplelru.NewLRU(maxShaped, func(_ version, f *fits) { // it fails for a size below 1
		if !f.refusedUntil.IsZero() {
			m.refusals.Add(-1)
		}
	})
	return m
}

type version struct {
	account uuid.UUID
	name    string // by turns.VersionName
}

// fits is how the replies of a version fitted in each second of the last minute.
type fits struct {
	seconds      [60]struct{ at, fit, misfit int64 }
	newest       int64
	refusedUntil time.Time
}

// record counts the end of a shaped turn of a version. Drafts and other faults do not count.
func (m *misfits) record(begun *turns.BeginResult, err error) {
	misfit := fault.Is(err, fault.InvalidOutput)
	if begun.Version == 0 || err != nil && !misfit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := version{begun.Sender.AccountID, turns.VersionName(begun.Sender.AgentID, begun.Version)}
	f, ok := m.versions.Get(of)
	if !ok {
		f = &fits{}
		m.versions.Add(of, f)
	}
	now := m.now()
	f.newest = now.Unix()
	second := &f.seconds[f.newest%int64(len(f.seconds))]
	if second.at != f.newest {
		second.at, second.fit, second.misfit = f.newest, 0, 0
	}
	if !misfit {
		second.fit++
		return
	}
	second.misfit++
	if fit, misfit := f.lastMinute(); misfit >= mostMisfits && misfit > fit && f.refusedUntil.IsZero() {
		f.refusedUntil = now.Add(refuseMisfits)
		m.refusals.Add(1)
	}
}

// lastMinute is how many replies have fitted, and how many not.
func (f *fits) lastMinute() (fit, misfit int64) {
	for _, second := range f.seconds {
		if f.newest-second.at < int64(len(f.seconds)) {
			fit, misfit = fit+second.fit, misfit+second.misfit
		}
	}
	return fit, misfit
}

// refused returns the names of an account's versions that are refused now.
func (m *misfits) refused(account uuid.UUID) (names []string) {
	if m.refusals.Load() == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	for _, of := range m.versions.Keys() {
		switch f, _ := m.versions.Peek(of); {
		case f.refusedUntil.IsZero():
		case now.After(f.refusedUntil): // its count starts over
			m.versions.Remove(of)
		case of.account == account:
			names = append(names, of.name)
		}
	}
	return names
}

// retryAfter is how long a version is still refused; 0 when it is not.
func (m *misfits) retryAfter(account uuid.UUID, name string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f, ok := m.versions.Get(version{account, name}); ok {
		return max(f.refusedUntil.Sub(m.now()), 0)
	}
	return 0
}
