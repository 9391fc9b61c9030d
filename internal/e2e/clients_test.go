package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
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
