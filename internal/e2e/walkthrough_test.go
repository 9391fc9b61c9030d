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

	"agentchat/internal/store/storetest"
)

// walkthrough runs docs/walkthrough.sh. It returns standard output and error, and whether the
// script succeeded.
func walkthrough(t *testing.T, env ...string) (output string, ok bool) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", "docs", "walkthrough.sh"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, script)
	command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"LANG=C.UTF-8",
	}, env...)
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

// TestWalkthrough runs the script on a fresh service.
func TestWalkthrough(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	out, ok := walkthrough(t, "BASE_URL="+r.base()+"/", "EMAIL=walker@example.com",
		"PASSWORD=a password of its own")
	if !ok {
		t.Fatalf("the script failed:\n%s\n%s", out, r.log.String())
	}
	inOrder(t, out, "a new account\n100 credits\n", `a DRAFT that lacks ["INSTRUCTIONS","MODEL"]`,
		"chosen: sandbox/assistant; still missing: []",
		"LIVE, version 1", `export "Web shop", key agc_`, "99 left", "Your name is Ada.", "98 left",
		"100 before, 98 after",
		"LIVE, version 2", "turn 4",
		`export "Web shop", new key agc_`, "turn 5", "Your name is Ada.", "turn 6",
		"answered with 401 unauthorized",
		"the export: REMOVED", "answered with 401 unauthorized", "the access token has stopped", "Done.")
	storetest.Audit(t, s)
	secrets := regexp.MustCompile(`agc_[0-9A-Za-z]{8}|eyJ[0-9A-Za-z_-]{8}|a password of its own`)
	for what, text := range map[string]string{"the output": out, "the service's log": r.log.String()} {
		if found := secrets.FindString(text); found != "" {
			t.Errorf("%s contains a secret: %.12s…", what, found)
		}
	}
}
