package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestGeneratedClients makes clients from rest/openapi.yaml, in Go and TypeScript, and has each chat, whole, with an action, and as a stream.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("the generators take a minute to install: make test-deploy has them")
	}
	url := storetest.URL(t)
	r := start(t, url)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{Actions: []agent.Action{{Name: "order_status",
		Description: "Looks up an order.", Parameters: `{"type":"object","required":["order"],"properties":{"order":{"type":"string"}}}`}}})
	for language, commands := range map[string][]string{
		"go":         {"go generate .", "go run ."},
		"typescript": {"npm ci --no-audit --no-fund", "npm run generate", "npm run lint", "npm run chat"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			var out string
			for _, line := range commands {
				words := strings.Fields(line)
				command := exec.CommandContext(t.Context(), words[0], words[1:]...)
				command.Dir = filepath.FromSlash("../../rest/clients/" + language)
				command.Env = append(os.Environ(), "AGENTCHAT_URL="+r.base(), "AGENTCHAT_API_KEY="+f.Key.Reveal())
				said, err := command.CombinedOutput()
				if out = string(said); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
			}
			if !strings.Contains(out, "reply: ") || !strings.Contains(out, "action: ") || !strings.Contains(out, "stream: ") {
				t.Errorf("the client said %s", out)
			}
		})
	}
}

// TestGraphQLClients runs GraphQL clients with their defaults, and the example that streams a reply
// of the playground.
func TestGraphQLClients(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r := start(t, storetest.URL(t))
	owner := newBrowser(t)
	owner.signedUp(r, "clients@example.com", ownersPassword)
	var created struct{ Agent struct{ ID string } }
	owner.must(r, `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }`,
		map[string]any{"name": "Sample", "instructions": "Be brief.", "model": "sandbox/free"}).into(t, "createAgent", &created)
	directory := filepath.FromSlash("../../graph/clients")
	run := func(program string, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, args...)
		command.Dir = directory
		command.Env = append(os.Environ(), "AGENTCHAT_URL="+r.base(), "AGENTCHAT_ACCESS_TOKEN="+owner.Token, "ACCESS_TOKEN="+owner.Token,
			"AGENT_ID="+created.Agent.ID)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	run("npm", "run", "generate")
	run("npm", "test")
	sample := strings.ReplaceAll(readExample(t, "graphql/playground.mjs"), "http://127.0.0.1:8080", r.base())
	if err := os.WriteFile(filepath.Join(directory, "out", "sample.mjs"), []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run("node", filepath.Join("out", "sample.mjs")); !strings.Contains(out, "Hello") {
		t.Errorf("the sample printed %q", out)
	}
}
