package chat

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

// TestSchemaFailuresOfAMinute tests that a version is refused for a minute once ten replies of the
// last minute, and more than half of them, were rejected. Its count then starts over. Other
// versions, drafts and other faults do not count, and test runs are neither counted nor refused.
func TestSchemaFailuresOfAMinute(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	f := newSchemaFailures(func() time.Time { return now })
	account, agent := uuid.New(), uuid.New()
	name := turns.VersionName(agent, 1)
	record := func(n, version int, err error) {
		for range n {
			f.record(conversation.API, &turns.BeginResult{Version: version, Sender: turns.Sender{AccountID: account, AgentID: agent}}, err)
		}
	}
	want := func(what string, wait time.Duration) {
		t.Helper()
		var names []string
		if wait > 0 {
			names = []string{name}
		}
		got, left := f.refused(conversation.API, account), f.retryAfter(conversation.API, account, name)
		if !slices.Equal(got, names) || left != wait || f.refused(conversation.API, uuid.New()) != nil {
			t.Errorf("%s: refused are %v for %v, want %v", what, got, left, wait)
		}
		if f.refused(conversation.Test, account) != nil || f.retryAfter(conversation.Test, account, name) != 0 {
			t.Errorf("%s: test runs are refused", what)
		}
	}
	rejected := fault.New(fault.InvalidOutput, "")
	for range 20 {
		f.record(conversation.Test, &turns.BeginResult{Version: 1, Sender: turns.Sender{AccountID: account, AgentID: agent}}, rejected)
	}
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
