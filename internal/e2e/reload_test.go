package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// modelsFile is a models file of which every change has more models and other prices. The provider replies with the model's upstream
// name, which says by which change it was called.
type modelsFile struct {
	path, providerURL string
}

func (f modelsFile) write(t testing.TB, content string) {
	t.Helper()
	if err := os.WriteFile(f.path+".new", []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		t.Fatal(err)
	}
}

// change writes the file's n-th state: models 0 to n at n credits.
func (f modelsFile) change(t testing.TB, n int) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "providers: [{name: acme, kind: openai, base_url: %s/v1, api_key_env: ACME_KEY}]\nmodels:\n", f.providerURL)
	for m := range n + 1 {
		fmt.Fprintf(&text, "  - {name: m%d, provider: acme, upstream_name: m%d-%d, credits: %d, context_window: 4096}\n", m, m, n, n)
	}
	f.write(t, text.String())
}

// reload has a replica read the file again, and returns once it offers its models at the price of the n-th change.
func reload(t testing.TB, owner *browser, r *replica, n int) {
	t.Helper()
	if err := r.command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	eventually(t, fmt.Sprintf("change %d is offered", n), func() bool {
		got, err := owner.do(r, `{ models { name creditsPerMessage } }`, nil)
		return err == nil && strings.Contains(string(got.Data), fmt.Sprintf(`{"name":"acme/m0","creditsPerMessage":%d}`, n))
	})
}

// state is what a replica says of its models.
func state(t testing.TB, r *replica) string {
	t.Helper()
	resp, err := http.Get(r.Ops + "/readyz?verbose")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("/readyz?verbose: %d %v", resp.StatusCode, err)
	}
	return string(body)
}

// TestModelsFileChangesUnderLoad changes the file while three replicas answer: first as the guide says, each replica before the agent's
// owner chooses a new model, so that no call fails; then with owners who are faster than the second replica, so that calls are at most
// told to come again. No turn has the price of one catalogue and the model of another.
func TestModelsFileChangesUnderLoad(t *testing.T) {
	testlong.Only(t)
	provider := llmtest.NewOpenAI(t, openAIKey)
	provider.Always(func(e *llmtest.Call) { llmtest.Text(e.Request.OpenAI(t).Model)(e) })
	file := modelsFile{path: filepath.Join(t.TempDir(), "models.yaml"), providerURL: provider.URL}
	file.change(t, 1)
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	replicas := make([]*replica, 3)
	for i := range replicas {
		replicas[i] = start(t, url, "MODELS_FILE="+file.path, "ACME_KEY="+openAIKey, "SIGN_UP=open", "STARTING_CREDITS=100000000",
			"TRUSTED_PROXIES=127.0.0.1/32")
	}
	auditing(t, s)
	agent, export := newEditions(t, replicas[0])
	publish := func(r *replica, model int) {
		agent.draft(r, "Say your name.", fmt.Sprintf("acme/m%d", model))
		agent.publishDraft(r)
	}
	publish(replicas[0], 1)

	c, early, over := client(t), &atomic.Bool{}, &atomic.Bool{}
	var callers sync.WaitGroup
	var answered, later atomic.Int64
	for w := range 12 {
		callers.Go(func() {
			for n := w; !over.Load(); n++ {
				got, err := ask(t.Context(), c, replicas[n%3].Chat, export.key, fmt.Sprint("session ", w), "hello")
				switch {
				case err != nil:
					t.Errorf("a call failed: %v", err)
				case got.Status == http.StatusServiceUnavailable && early.Load() && got.Header.Get("Retry-After") != "":
					later.Add(1)
				case got.Status != http.StatusOK:
					t.Errorf("%d %s", got.Status, got.Body)
				case got.Reply != fmt.Sprintf("%s-%d", strings.TrimPrefix(got.Model, "acme/"), got.Usage.Credits):
					t.Errorf("%s replied as %s for %d credits", got.Model, got.Reply, got.Usage.Credits)
				default:
					answered.Add(1)
				}
				provider.Forget()
			}
		})
	}
	const byTheGuide, hasty = 6, 3
	for n := 2; n < 2+byTheGuide+hasty; n++ {
		file.change(t, n)
		early.Store(n >= 2+byTheGuide)
		reload(t, agent.owner, replicas[0], n)
		if early.Load() {
			publish(replicas[0], n)
		}
		reload(t, agent.owner, replicas[1], n)
		reload(t, agent.owner, replicas[2], n)
		if !early.Load() {
			publish(replicas[n%3], n)
		}
		before := answered.Load()
		eventually(t, "all callers are answered", func() bool { return answered.Load() >= before+24 })
	}
	over.Store(true)
	callers.Wait()

	var torn int
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
		WHERE t.state = 'ANSWERED' AND (e.amount IS DISTINCT FROM -t.price OR t.reply <> substr(t.model, 6) || '-' || t.price)`).
		Scan(&torn); err != nil || torn != 0 {
		t.Errorf("%d turns have another price than their model or their charge: %v", torn, err)
	}
	refusesNonsense(t, file, replicas[0], func() answer {
		got, _ := ask(t.Context(), c, replicas[0].Chat, export.key, "last", "hello")
		return got
	})
}

// refusesNonsense: with a file that cannot be used the models stay, and the replica says so until it has a better one.
func refusesNonsense(t testing.TB, file modelsFile, r *replica, say func() answer) {
	t.Helper()
	good, err := os.ReadFile(file.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ content, says string }{
		{"providers: nonsense\n", "as before: MODELS_FILE (--models-file) cannot be used: "}, {string(good), `"as in their file"`},
	} {
		file.write(t, step.content)
		if err := r.command.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the replica says "+step.says, func() bool { return strings.Contains(state(t, r), step.says) })
		if got := say(); got.Status != http.StatusOK {
			t.Errorf("%s: %d %s", step.says, got.Status, got.Body)
		}
	}
	if log := r.log.String(); strings.Count(log, "the models stay as they were") != 1 {
		t.Error("the log does not say once that the models stayed")
	}
}
