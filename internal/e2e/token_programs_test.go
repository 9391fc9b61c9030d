package e2e_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestAccountTokenPrograms runs the example programs that read, erase and save with an account
// token.
func TestAccountTokenPrograms(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r, owner := start(t, storetest.URL(t)), newBrowser(t)
	owner.signedUp(r, "tokens@example.com", ownersPassword)
	const create = `mutation($input: CreateAgentInput!) {
		createAgent(input: $input) { agent { id } } }`
	const send = `mutation($input: SendTestMessageInput!) {
		sendTestMessage(input: $input) { turn { id } } }`
	var created struct{ Agent struct{ ID string } }
	owner.must(r, create,
		map[string]any{"name": "Sample", "instructions": "Be brief.", "model": "sandbox/assistant"}).
		into(t, "createAgent", &created)
	for _, user := range []string{"customer-42", "customer-43"} {
		owner.must(r, send,
			map[string]any{"agentId": created.Agent.ID, "userId": user, "message": "Hello from " + user})
	}
	_, token := newToken(t, r, owner)
	run := func(program string) string {
		return runExample(t, "account-tokens/"+program, r.base(), "AGENTCHAT_TOKEN="+token)
	}
	out := run("transcripts.sh")
	if !strings.Contains(out, "Hello from customer-42") || strings.Contains(out, "customer-43") {
		t.Errorf("transcripts: %s", out)
	}
	if out := run("erase.sh"); !strings.Contains(out, `{"deletedCount":1}`) {
		t.Errorf("erased: %s", out)
	}
	if out := run("transcripts.sh"); !strings.Contains(out, `"nodes":[]`) {
		t.Errorf("transcripts afterwards: %s", out)
	}
	kinds := map[string]int{}
	for line := range strings.Lines(run("save.py")) {
		var object struct{ Type string }
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		kinds[object.Type]++
	}
	want := map[string]int{"agent": 1, "conversation": 1, "turn": 1, "credit_entry": 3}
	if !maps.Equal(kinds, want) {
		t.Errorf("saved: %v", kinds)
	}
	refused := example(t, "account-tokens/save.py", r.base(), "AGENTCHAT_TOKEN=")
	said, err := refused.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "The credentials are missing or not valid.") {
		t.Errorf("without a token: %v %s", err, said)
	}
}
