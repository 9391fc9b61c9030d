package chat

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/turns"
)

// TestCacheKeys tests that the prompts of a conversation share one key and that a version has 16
// keys. Another version or agent has different keys, and a draft has none.
func TestCacheKeys(t *testing.T) {
	t.Parallel()
	one, two := uuid.New(), uuid.New()
	keys := map[string]bool{}
	for _, of := range []turns.BeginResult{
		{Sender: turns.Sender{AgentID: one}, Version: 1},
		{Sender: turns.Sender{AgentID: one}, Version: 2},
		{Sender: turns.Sender{AgentID: two}, Version: 1},
	} {
		for range 1_000 {
			of.ConversationID = uuid.Must(uuid.NewV7())
			first, err := new(turn).prompt(catalogue.Entry{}, &of)
			second, failed := new(turn).prompt(catalogue.Entry{}, &of)
			if err != nil || failed != nil || len(first.CacheKey) != 32 || second.CacheKey != first.CacheKey {
				t.Fatalf("%q, then %q (%v, %v)", first.CacheKey, second.CacheKey, err, failed)
			}
			keys[first.CacheKey] = true
		}
	}
	if len(keys) != 3*16 {
		t.Errorf("three versions have %d keys", len(keys))
	}
	if key := cacheKey(&turns.BeginResult{ConversationID: one}); key != "" {
		t.Errorf("a draft has the key %q", key)
	}
}
