package graph_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/account"
)

var codeBlock = regexp.MustCompile("(?ms)^```(sh|python)\n(.*?)^```$")

// TestProgramsWithATokenInTheGuide runs the programs of docs/account-tokens.md as they are printed.
func TestProgramsWithATokenInTheGuide(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	for session, user := range map[string]string{"a": "customer-42", "b": "customer-43"} {
		u.do(t, sendTest, vars{"input": vars{"agentId": agent, "sessionId": session, "userId": user, "message": "Hello from " + user}}).wantNone(t, "send")
	}
	text, err := os.ReadFile(filepath.Join("..", "docs", "account-tokens.md"))
	if err != nil {
		t.Fatal(err)
	}
	token := u.newToken(t, account.Editor)
	var programs [][]string
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		kind, program := block[1], strings.ReplaceAll(block[2], "http://127.0.0.1:8080", b.URL)
		if kind == "sh" {
			programs = append(programs, []string{"sh", "-c", program})
		} else {
			programs = append(programs, []string{"python3", "-c", program})
		}
	}
	if len(programs) != 3 {
		t.Fatalf("the guide has %d programs", len(programs))
	}
	run := func(program []string, token string) string {
		t.Helper()
		if _, err := exec.LookPath(program[0]); err != nil {
			t.Skipf("the program is not tried: install %s", program[0])
		}
		command := exec.CommandContext(t.Context(), program[0], program[1:]...)
		command.Env = append(os.Environ(), "AGENTCHAT_TOKEN="+token)
		out, err := command.CombinedOutput()
		if err != nil && token != "" {
			t.Fatalf("%s: %v\n%s", program[0], err, out)
		}
		return string(out)
	}
	read, erase, save := programs[0], programs[1], programs[2]
	if out := run(read, token); !strings.Contains(out, "Hello from customer-42") || strings.Contains(out, "customer-43") {
		t.Errorf("transcripts: %s", out)
	}
	kinds := map[string]int{}
	for line := range strings.Lines(run(save, token)) {
		var object struct{ Type string }
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		kinds[object.Type]++
	}
	if kinds["agent"] != 1 || kinds["conversation"] != 2 || kinds["turn"] != 2 || kinds["credit_entry"] != 3 {
		t.Errorf("saved: %v", kinds)
	}
	if out := run(erase, token); !strings.Contains(out, `{"deletedCount":1}`) {
		t.Errorf("erased: %s", out)
	}
	if out := run(read, token); !strings.Contains(out, `"nodes":[]`) {
		t.Errorf("transcripts afterwards: %s", out)
	}
	if out := run(save, ""); !strings.Contains(out, "The credentials are missing or not valid.") {
		t.Errorf("without a token: %s", out)
	}
}
