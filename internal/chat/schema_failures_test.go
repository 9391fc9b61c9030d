package chat

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

// TestSchemaFailuresOfAMinute tests that a version is refused for a minute once ten replies of the
// last minute, and more than half of them, were rejected. Its count then starts over. Other
// versions, drafts and other faults do not count.
func TestSchemaFailuresOfAMinute(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	f := newSchemaFailures(func() time.Time { return now })
	account, agent := uuid.New(), uuid.New()
	name := turns.VersionName(agent, 1)
	record := func(n, version int, err error) {
		for range n {
			f.record(&turns.BeginResult{Version: version, Sender: turns.Sender{AccountID: account, AgentID: agent}}, err)
		}
	}
	want := func(what string, wait time.Duration) {
		t.Helper()
		var names []string
		if wait > 0 {
			names = []string{name}
		}
		if got := f.refused(account); !slices.Equal(got, names) || f.retryAfter(account, name) != wait ||
			f.refused(uuid.New()) != nil {
			t.Errorf("%s: refused are %v for %v, want %v", what, got, f.retryAfter(account, name), wait)
		}
	}
	rejected := fault.New(fault.InvalidOutput, "")
	record(9, 1, rejected)
	record(9, 2, rejected)
	record(20, 0, rejected)
	record(20, 1, fault.New(fault.ModelError, ""))
	want("nine", 0)
	now = now.Add(61 * time.Second)
	record(1, 1, rejected)
	want("nine are older than a minute", 0)
	record(10, 1, nil)
	record(9, 1, rejected)
	want("as many fit", 0)
	record(1, 1, rejected)
	want("one more", time.Minute)
	now = now.Add(59 * time.Second)
	want("a second is left", time.Second)
	now = now.Add(2 * time.Second)
	want("after its minute", 0)
	record(9, 1, rejected)
	want("it begins anew", 0)
	record(1, 1, rejected)
	want("and is refused again", time.Minute)
}
