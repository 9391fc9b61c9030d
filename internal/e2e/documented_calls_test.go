package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// documentedCall finds the shell blocks of a guide that call the service.
var documentedCall = regexp.MustCompile("(?s)```sh\n((?:curl|agentchat|export|\\. /etc).*?)```")

// TestDocumentedCalls runs the commands of the guides. Repeating a bank transfer grants nothing.
func TestDocumentedCalls(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const token, password = "0123456789abcdef0123456789abcdef-admin", "a long and quiet sentence"
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url, "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+token)
	f := storetest.Seed(t, s, storetest.Options{})
	buyer, err := accounts.On(s).CreateAccount(t.Context(), accounts.NewAccount{
		Email: "buyer@example.com", Name: "Buyer", PasswordHash: "none",
	})
	if err != nil {
		t.Fatal(err)
	}
	demo := newBrowser(t)
	demo.signedUp(r, "demo@example.com", password)
	own := demo.makeExport(r)
	local := strings.NewReplacer("export AGENTCHAT_API_KEY=agc_…\n", "", `"password": "…"`, `"password": "`+password+`"`,
		`"agentId": "…"`, `"agentId": "`+own.agent+`"`,
		"http://127.0.0.1:8080", r.base(), "http://127.0.0.1:9092", r.Admin,
		". /etc/agentchat/agentchat.env\n", "")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Returns.pdf"), []byte("%PDF-1.4"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		guide string
		calls int
		want  string // part of each answer
	}{
		{"../README.md", 1, "Ada"},
		{"graphql.md", 2, `{"data":{`},
		{"chat-api.md", 2, `"finish_reason":"stop"`},
		{"moving.md", 1, `"finish_reason":"stop"`},
		{"shop.md", 1, ""},
		{"shop.md", 1, ""},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", tc.guide))
		if err != nil {
			t.Fatal(err)
		}
		calls := documentedCall.FindAllStringSubmatch(string(text), -1)
		if len(calls) != tc.calls {
			t.Errorf("%s has %d calls, want %d", tc.guide, len(calls), tc.calls)
		}
		for _, call := range calls {
			command := exec.CommandContext(t.Context(), "sh", "-ec", "AGENTCHAT_TOKEN="+demo.Token+"\n"+local.Replace(call[1]))
			command.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"),
				"AGENTCHAT_API_KEY="+f.Key.Reveal(), "DATABASE_URL="+url, "ADMIN_TOKEN="+token)
			command.Dir = dir
			out, err := command.CombinedOutput()
			if err != nil || !strings.Contains(string(out), tc.want) {
				t.Errorf("%s: %v\n%s\n%s", tc.guide, err, call[1], out)
			}
		}
	}
	if found, err := accounts.On(s).Account(t.Context(), buyer.ID); err != nil || found.CreditBalance != 1000 {
		t.Errorf("after each transfer twice: %+v %v", found, err)
	}
}
