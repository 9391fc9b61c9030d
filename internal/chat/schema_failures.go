package chat

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

const (
	// maxSchemaFailures is the number of rejected replies within a minute at which a version is
	// refused if they are more than half of all.
	maxSchemaFailures = 10
	// schemaRefusal is the time for which the version is then refused.
	schemaRefusal = time.Minute
	// maxTrackedVersions bounds the versions that are tracked, at about 1 KiB each.
	maxTrackedVersions = 4096
)

// versionRefused refuses a message to a version with too many rejected replies. Its message says
// what helps, because waiting seldom does.
func versionRefused(retryAfter time.Duration) error {
	return &fault.Error{Kind: fault.ModelUnavailable, RetryAfter: retryAfter, Message: "Most of the agent's replies break its reply " +
		"schema or the parameters of its actions, so its messages are refused for a minute. Nothing was charged. The agent's owner " +
		"must change the schemas, the instructions or the model."}
}

// schemaFailures is a breaker for versions whose replies keep breaking their schema. Without it, a
// schema that no model satisfies would use up the unpaid calls of its account. Each replica counts
// for itself. Test runs neither count nor are refused.
type schemaFailures struct {
	mu       sync.Mutex
	versions *simplelru.LRU[version, *schemaCounts]
	// refusals counts the tracked versions that are or were refused. While it is 0, no message takes
	// the lock.
	refusals atomic.Int64
	now      func() time.Time
}

type version struct {
	account uuid.UUID
	name    string // by turns.VersionName
}

// schemaCounts counts the accepted and rejected replies of a version in each second of the last
// minute.
type schemaCounts struct {
	seconds      [60]struct{ at, accepted, rejected int64 }
	newest       int64
	refusedUntil time.Time
}

func newSchemaFailures(now func() time.Time) *schemaFailures {
	f := &schemaFailures{now: now}
	f.versions, _ = simplelru.NewLRU(maxTrackedVersions, func(_ version, c *schemaCounts) { // it fails for a size below 1
		if !c.refusedUntil.IsZero() {
			f.refusals.Add(-1)
		}
	})
	return f
}

// record counts the structured reply with which a turn of a version ended. Drafts and other faults
// do not count.
func (f *schemaFailures) record(source conversation.Source, begun *turns.BeginResult, err error) {
	rejected := fault.Is(err, fault.InvalidOutput)
	if source == conversation.Test || begun.Version == 0 || err != nil && !rejected {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	of := version{begun.Sender.AccountID, turns.VersionName(begun.Sender.AgentID, begun.Version)}
	c, ok := f.versions.Get(of)
	if !ok {
		c = &schemaCounts{}
		f.versions.Add(of, c)
	}
	now := f.now()
	c.newest = now.Unix()
	second := &c.seconds[c.newest%int64(len(c.seconds))]
	if second.at != c.newest {
		second.at, second.accepted, second.rejected = c.newest, 0, 0
	}
	if !rejected {
		second.accepted++
		return
	}
	second.rejected++
	if good, bad := c.lastMinute(); bad >= maxSchemaFailures && bad > good && c.refusedUntil.IsZero() {
		c.refusedUntil = now.Add(schemaRefusal)
		f.refusals.Add(1)
	}
}

func (c *schemaCounts) lastMinute() (accepted, rejected int64) {
	for _, second := range c.seconds {
		if c.newest-second.at < int64(len(c.seconds)) {
			accepted, rejected = accepted+second.accepted, rejected+second.rejected
		}
	}
	return accepted, rejected
}

// refused returns the names of an account's versions whose messages from this source are currently
// refused.
func (f *schemaFailures) refused(source conversation.Source, account uuid.UUID) (names []string) {
	if source == conversation.Test || f.refusals.Load() == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	for _, of := range f.versions.Keys() {
		switch c, _ := f.versions.Peek(of); {
		case c.refusedUntil.IsZero():
		case now.After(c.refusedUntil): // its count starts over
			f.versions.Remove(of)
		case of.account == account:
			names = append(names, of.name)
		}
	}
	return names
}

// retryAfter returns the time for which a version's messages from this source are still refused; 0
// when they are not.
func (f *schemaFailures) retryAfter(source conversation.Source, account uuid.UUID, name string) time.Duration {
	if source == conversation.Test {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.versions.Get(version{account, name}); ok {
		return max(c.refusedUntil.Sub(f.now()), 0)
	}
	return 0
}
