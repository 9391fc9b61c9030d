package graph_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store/sources"
)

// TestPromptWithKnowledge: the prompt includes the passages, but not the citations of earlier
// replies.
func TestPromptWithKnowledge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.world(t)["agent"]
	var account, id uuid.UUID
	err := b.store.SQL().QueryRowContext(t.Context(), `SELECT account_id, id FROM agents ORDER BY created_at DESC LIMIT 1`).Scan(&account, &id)
	if err == nil {
		_, err = sources.On(b.store).AddKnowledge(t.Context(), account, id, sources.NewKnowledge{Kind: knowledge.Text, Name: "Returns",
			Text: "Refunds take 30 days.", Size: 21, Passages: []knowledge.Passage{{Text: "Refunds take 30 days."}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, message := range []string{"refunds", "refunds again", "[[sandbox history]]", "[[sandbox fail=error]]"} {
		got := u.do(t, sayPrompt, vars{"input": vars{"agentId": agent, "sessionId": "s", "message": message}}).wantNone(t, "say")
		got.wantValues(t, message, map[string]any{"sendTestMessage.turn.prompt.earlierTurns": float64(i)})
		if reply, _ := got.get("sendTestMessage.turn.reply").(string); i == 2 && (!strings.Contains(reply, "Refunds take 30 days") || strings.Contains(reply, "days. [1]")) {
			t.Errorf("the model was given %s", reply)
		}
	}
}
