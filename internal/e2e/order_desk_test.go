package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^```(\\S[^\n]*)\n(.*?)^```$")
	quoted    = regexp.MustCompile(`'The action [^']*'`)
)

// TestOrderDesk runs the programs of docs/order-desk.md as they are printed, with its agent: they print what the guide says. The answer to each
// first attempt is lost on the way: the programs send the request again under its key, and pay once.
func TestOrderDesk(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "order-desk.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]string{}
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		blocks[block[1]] = block[2]
	}
	answers := quoted.FindAllString(blocks["text"], -1)
	if len(answers) != 2 {
		t.Fatalf("the guide prints the answers %q", answers)
	}
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	for kind, program := range map[string][2]string{"python": {"python3", "desk.py"}, "javascript": {"node", "desk.mjs"}} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(program[0]); err != nil && program[0] != "node" { // which the panel needs anyway
				t.Skipf("the program is not tried: install %s", program[0])
			}
			f := storetest.Seed(t, s, storetest.Options{})
			desk, err := s.Agent(t.Context(), f.Account.ID, imported(t, url, f.Account.ID, blocks["json desk.json"]))
			if err != nil {
				t.Fatal(err)
			}
			storetest.Publish(t, s, desk)
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, desk.ID, 600)
			file := filepath.Join(t.TempDir(), program[1])
			run := func(address string) string {
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(blocks[kind], "http://127.0.0.1:8080", address)), 0o600); err != nil {
					t.Fatal(err)
				}
				command := exec.CommandContext(t.Context(), program[0], file)
				command.Env = append(os.Environ(), "AGENTCHAT_API_KEY="+key.Reveal())
				out, err := command.CombinedOutput()
				if err != nil {
					t.Errorf("%v: %s", err, out)
				}
				return string(out)
			}
			seen := map[string]bool{}
			out := run(between(t, r, func(key, _ string) (lost bool) {
				lost, seen[key] = !seen[key], true
				return lost
			}))
			if !strings.Contains(out, answers[0]) || !strings.Contains(out, answers[1]) || len(seen) != 4 {
				t.Errorf("%d answers lost: %s", len(seen), out)
			}
			if balance, held := (&pair{store: s}).credits(t, f); balance != 96 || held != 0 {
				t.Errorf("balance %d, held %d after four replies", balance, held)
			}
			var brought string
			err = s.DB().QueryRowContext(t.Context(), `SELECT string_agg(regexp_replace(action_results, '"id":"[^"]*",', ''), ' ' ORDER BY number)
				FROM turns WHERE agent_id = $1`, desk.ID).Scan(&brought)
			if want := `[{"result":{"arrives":"Monday","state":"shipped"}}] [{"error":"There is no order A-2."}]`; err != nil || brought != want {
				t.Errorf("brought %s, %v", brought, err)
			}
			// The customer writes while the first action runs: the program goes on with the next question.
			written := false
			out = run(between(t, r, func(_, body string) (lost bool) {
				if !written && strings.Contains(body, "action_results") {
					written = true
					if got, err := ask(t.Context(), http.DefaultClient, r.Chat, key.Reveal(), "customer-42", "Never mind."); err != nil || got.Status != 200 {
						t.Errorf("%+v, %v", got, err)
					}
				}
				return false
			}))
			if strings.Contains(out, answers[0]) || !strings.Contains(out, answers[1]) {
				t.Errorf("with a message between: %s", out)
			}
		})
	}
}

// imported is an agent that the program makes of a file.
func imported(t *testing.T, databaseURL string, account uuid.UUID, file string) (id uuid.UUID) {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, "agent", "import", "--json", "--id", account.String(), "-")
	command.Env, command.Stdin = append(os.Environ(), "DATABASE_URL="+databaseURL), strings.NewReader(file)
	out, err := command.Output()
	var made struct{ ID uuid.UUID }
	if err != nil || json.Unmarshal(out, &made) != nil {
		t.Fatalf("%v: %s of %s", err, out, file)
	}
	return made.ID
}

// between is the address of a server between a program and a replica. The program sends one request at a time; before, which gets its key and
// body, says whether its answer is lost.
func between(t *testing.T, r *replica, before func(key, body string) (lost bool)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
			return
		}
		lost := before(request.Header.Get("Idempotency-Key"), string(body))
		onward, err := http.NewRequestWithContext(request.Context(), request.Method, r.base()+request.URL.Path, bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		onward.Header = request.Header
		answer, err := http.DefaultClient.Do(onward)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = answer.Body.Close() }()
		if lost {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
