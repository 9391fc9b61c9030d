package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestOrderDesk runs the order desk's programs with its agent. The answer to each first attempt is
// lost on the way: the programs send the request again under its key, and pay once.
func TestOrderDesk(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	answers := []string{
		`'The action order_status returned: {"arrives":"Monday","state":"shipped"}.'`,
		`'The action order_status failed: There is no order A-2.'`,
	}
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	for _, program := range []string{"order-desk/desk.py", "order-desk/desk.mjs"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			f := storetest.Seed(t, s, storetest.Options{})
			made := imported(t, url, f.Account.ID, readExample(t, "order-desk/desk.json"))
			desk, err := agents.On(s).Agent(t.Context(), f.Account.ID, made)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Publish(t, s, desk)
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, desk.ID, 600)
			run := func(address string) string {
				return runExample(t, program, address, "AGENTCHAT_API_KEY="+key.Reveal())
			}
			seen := map[string]bool{}
			out := run(between(t, r, func(key, _ string) (lost bool) {
				lost, seen[key] = !seen[key], true
				return lost
			}))
			if !strings.Contains(out, answers[0]) || !strings.Contains(out, answers[1]) || len(seen) != 4 {
				t.Errorf("%d answers lost: %s", len(seen), out)
			}
			if balance, held := creditsOf(t, s, f); balance != 96 || held != 0 {
				t.Errorf("balance %d, held %d after four replies", balance, held)
			}
			var results string
			err = s.SQL().QueryRowContext(t.Context(), `
				SELECT string_agg(regexp_replace(action_results, '"id":"[^"]*",', ''), ' ' ORDER BY number)
				FROM turns WHERE agent_id = $1`, desk.ID).Scan(&results)
			want := `[{"result":{"arrives":"Monday","state":"shipped"}}] ` +
				`[{"error":"There is no order A-2."}]`
			if err != nil || results != want {
				t.Errorf("results %s, %v", results, err)
			}
			// The customer writes while the first action runs: the program continues with its next question.
			written := false
			out = run(between(t, r, func(_, body string) (lost bool) {
				if !written && strings.Contains(body, "action_results") {
					written = true
					got, err := ask(t.Context(), http.DefaultClient, r.Chat,
						key.Reveal(), "customer-42", "Never mind.")
					if err != nil || got.Status != http.StatusOK {
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

// imported imports an agent from the text of a file and returns its id.
func imported(t *testing.T, databaseURL string, account uuid.UUID, file string) (id uuid.UUID) {
	t.Helper()
	agent := command(t, binary, databaseURL, "agent", "import", "--json", "--id", account.String(),
		"-")
	agent.Stdin = strings.NewReader(file)
	out, err := agent.Output()
	var made struct{ ID uuid.UUID }
	if err != nil || json.Unmarshal(out, &made) != nil {
		t.Fatalf("%v: %s of %s", err, out, file)
	}
	return made.ID
}

// between starts a proxy between a program and a replica and returns its address. For each request,
// before gets the idempotency key and the body; the answer is lost if it returns true.
func between(t *testing.T, r *replica, before func(key, body string) (lost bool)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
			return
		}
		lost := before(request.Header.Get("Idempotency-Key"), string(body))
		onward, err := http.NewRequestWithContext(
			request.Context(), request.Method, r.base()+request.URL.Path, bytes.NewReader(body))
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
