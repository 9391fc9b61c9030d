package e2e_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// walkthrough runs docs/walkthrough.sh. It returns standard output and error, and whether the script succeeded.
func walkthrough(t *testing.T, env ...string) (output string, ok bool) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", "docs", "walkthrough.sh"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, script)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8"}, env...)
	command.Dir = t.TempDir() // it must not depend on the working directory
	out, err := command.CombinedOutput()
	return string(out), err == nil
}

// inOrder checks that texts occur in an output in this order.
func inOrder(t *testing.T, output string, texts ...string) {
	t.Helper()
	rest := output
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Fatalf("%q is missing or out of order in:\n%s", text, output)
		}
		rest = after
	}
}

// leftovers counts what the walkthrough left in one account.
type leftovers struct{ Agents, Active, Removed, Conversations, Answered, Turns, Balance, Held, SignIns int }

func countLeftovers(t *testing.T, s *store.DB, email string) (left leftovers) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `
		SELECT (SELECT count(*) FROM agents caller WHERE caller.account_id = a.id AND caller.state = 'LIVE'),
			(SELECT count(*) FROM api_exports e WHERE e.account_id = a.id AND e.removed_at IS NULL),
			(SELECT count(*) FROM api_exports e WHERE e.account_id = a.id AND e.removed_at IS NOT NULL),
			(SELECT count(*) FROM conversations c JOIN agents caller ON caller.id = c.agent_id WHERE caller.account_id = a.id),
			(SELECT count(*) FROM turns t WHERE t.account_id = a.id AND t.state = 'ANSWERED'),
			(SELECT count(*) FROM turns t WHERE t.account_id = a.id),
			a.credit_balance, a.credits_held, (SELECT count(*) FROM sign_ins s WHERE s.user_id = u.id AND s.ended_at IS NULL)
		FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id WHERE u.email = $1`, email).Scan(&left.Agents, &left.Active, &left.Removed, &left.Conversations,
		&left.Answered, &left.Turns, &left.Balance, &left.Held, &left.SignIns)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestWalkthrough runs the script on a fresh service.
func TestWalkthrough(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	out, ok := walkthrough(t, "BASE_URL="+r.base()+"/", "EMAIL=walker@example.com", "PASSWORD=a password of its own")
	if !ok {
		t.Fatalf("the script failed:\n%s\n%s", out, r.log.String())
	}
	inOrder(t, out, "a new account\n100 credits\n", `a DRAFT that lacks ["INSTRUCTIONS","MODEL"]`, "chosen: sandbox/assistant; still missing: []",
		"LIVE, version 1", `export "Web shop", key agc_`, "99 left", "Your name is Ada.", "98 left", "100 before, 98 after",
		"LIVE, version 2", "turn 4",
		`export "Web shop", new key agc_`, "turn 5", "Your name is Ada.", "turn 6", "answered with 401 unauthorized",
		"the export: REMOVED", "answered with 401 unauthorized", "the access token has stopped", "Done.")
	want := leftovers{Agents: 1, Removed: 1, Conversations: 1, Answered: 6, Turns: 6, Balance: 94}
	if got := countLeftovers(t, s, "walker@example.com"); got != want {
		t.Errorf("the script left %+v, want %+v", got, want)
	}
	storetest.Audit(t, s)
	noSecrets := regexp.MustCompile(`agc_[0-9A-Za-z]{8}|eyJ[0-9A-Za-z_-]{8}|a password of its own`)
	for what, text := range map[string]string{"the output": out, "the service's log": r.log.String()} {
		if found := noSecrets.FindString(text); found != "" {
			t.Errorf("%s contains a secret: %.12s…", what, found)
		}
	}
}
