package e2e_test

import (
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
)

var codeBlock = regexp.MustCompile("(?ms)^```(\\S[^\n]*)\n(.*?)^```$")

// TestOrderDesk runs the programs of docs/order-desk.md as they are printed, with its agent. The answer to each first attempt is lost on the
// way: the programs send the request again under its key, and pay once.
func TestOrderDesk(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "order-desk.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]string{}
	for _, block := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		blocks[block[1]] = block[2]
	}
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	for kind, program := range map[string][2]string{"python": {"python3", "desk.py"}, "javascript": {"node", "desk.mjs"}} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(program[0]); err != nil {
				t.Skip(err)
			}
			f := storetest.Seed(t, s, storetest.Options{})
			desk, err := s.Agent(t.Context(), f.Account.ID, imported(t, url, f.Account.ID, blocks["json desk.json"]))
			if err != nil {
				t.Fatal(err)
			}
			storetest.Publish(t, s, desk)
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, desk.ID, 600)
			lossy, lost := losing(t, r)
			file := filepath.Join(t.TempDir(), program[1])
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(blocks[kind], "http://127.0.0.1:8080", lossy)), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), program[0], file)
			command.Env = append(os.Environ(), "AGENTCHAT_API_KEY="+key.Reveal())
			out, err := command.CombinedOutput()
			if err != nil || strings.Count(string(out), "answer") != 2 || *lost != 4 {
				t.Errorf("%v, %d answers lost: %s", err, *lost, out)
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

// losing is the address of a server between a program and a replica that loses the first answer under each key, and how many that were. The
// program sends one request at a time.
func losing(t *testing.T, r *replica) (address string, lost *int) {
	t.Helper()
	lost = new(int)
	seen := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		onward, err := http.NewRequestWithContext(request.Context(), request.Method, r.base()+request.URL.Path, request.Body)
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
		if key := request.Header.Get("Idempotency-Key"); !seen[key] {
			seen[key] = true
			*lost++
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL, lost
}
