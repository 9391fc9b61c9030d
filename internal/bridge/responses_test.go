package bridge_test

import (
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestResponses: two turns of one conversation, by previous_response_id.
func TestResponses(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	first := b.send(responses, `{"model": "gpt-5", "input": "My name is Ada."}`).ok(t)
	if first.Object != "response" || first.Status != "completed" || first.Model != "gpt-5" ||
		!strings.HasPrefix(first.ID, "resp_") || !strings.Contains(first.text(), "turn 1") {
		t.Errorf("%+v", first)
	}
	second := b.send(responses, `{"input": "What is my name?", "previous_response_id": "`+first.ID+`"}`).ok(t)
	if !strings.Contains(second.text(), "turn 2") || !strings.Contains(second.text(), "Ada") ||
		second.AgentChat.SessionID != first.AgentChat.SessionID || second.Model != "agent" {
		t.Errorf("%+v", second)
	}
	b.expectCharges(2)
}
