package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestGeneratedClients generates clients from rest/openapi.yaml, in Go and TypeScript. Each gets a
// whole reply, calls an action, and reads a stream.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	if os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("the generators take a minute to install: make test-deploy has them")
	}
	url := storetest.URL(t)
	r := start(t, url)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{Actions: orderActions})
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
				command.Env = append(os.Environ(), "AGENTCHAT_URL="+r.base(),
					"AGENTCHAT_API_KEY="+f.Key.Reveal())
				output, err := command.CombinedOutput()
				if out = string(output); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
			}
			for _, line := range []string{"reply: ", "action: ", "stream: "} {
				if !strings.Contains(out, line) {
					t.Errorf("the client printed no %q: %s", line, out)
				}
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
	owner.must(r, createAgent, map[string]any{
		"name":         "Sample",
		"instructions": "Be brief.",
		"model":        "sandbox/free",
	}).into(t, "createAgent", &created)
	directory := filepath.FromSlash("../../graph/clients")
	run := func(program string, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, args...)
		command.Dir = directory
		command.Env = append(os.Environ(), "AGENTCHAT_URL="+r.base(), "ACCESS_TOKEN="+owner.Token,
			"AGENTCHAT_ACCESS_TOKEN="+owner.Token, "AGENT_ID="+created.Agent.ID)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	run("npm", "run", "generate")
	run("npm", "test")
	example := readExample(t, "graphql/playground.mjs")
	sample := strings.ReplaceAll(example, "http://127.0.0.1:8080", r.base())
	path := filepath.Join(directory, "out", "sample.mjs")
	if err := os.WriteFile(path, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run("node", filepath.Join("out", "sample.mjs")); !strings.Contains(out, "Hello") {
		t.Errorf("the sample printed %q", out)
	}
}
