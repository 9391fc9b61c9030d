package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/testlong"
)

// modelsFile is a models file. Its n-th state has the models 0 to n, each at n credits. The
// provider replies with the model's upstream name, which says in which state it was called.
type modelsFile struct{ path, providerURL string }

// change writes the file's n-th state.
func (f modelsFile) change(t testing.TB, n int) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "providers:\n  - {name: acme, kind: openai, base_url: %s/v1, "+
		"api_key_env: ACME_KEY}\nmodels:\n", f.providerURL)
	for m := range n + 1 {
		fmt.Fprintf(&text, "  - {name: m%d, provider: acme, upstream_name: m%[1]d-%d, credits: %[2]d, "+
			"context_window: 4096}\n", m, n)
	}
	next := f.path + ".new"
	if err := os.WriteFile(next, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, f.path); err != nil {
		t.Fatal(err)
	}
}

// reload signals a replica, and returns once it offers the models of the n-th state.
func reload(t testing.TB, owner *browser, r *replica, n int) {
	t.Helper()
	if err := r.command.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"name":"acme/m0","creditsPerMessage":%d}`, n)
	eventually(t, fmt.Sprintf("state %d is offered", n), func() bool {
		got, err := owner.do(r, `{ models { name creditsPerMessage } }`, nil)
		return err == nil && strings.Contains(string(got.Data), want)
	})
}

// TestModelsFileChangesUnderLoad changes the file while three replicas answer. As the guide says,
// every replica reloads it before the agent's owner chooses a new model: no request fails. Then
// owners choose one before the second replica has it: requests may get 503 with Retry-After. No
// turn has the price of one state and the model of another.
func TestModelsFileChangesUnderLoad(t *testing.T) {
	testlong.Only(t)
	provider := llmtest.NewOpenAI(t, openAIKey)
	provider.Always(func(e *llmtest.Call) { llmtest.Text(e.Request.OpenAI(t).Model)(e) })
	file := modelsFile{filepath.Join(t.TempDir(), "models.yaml"), provider.URL}
	file.change(t, 1)
	c := newCluster(t, 3, "MODELS_FILE="+file.path, "ACME_KEY="+openAIKey, "SIGN_UP=open",
		"STARTING_CREDITS=100000000", behindProxy)
	auditing(t, c.store)
	owner, export := newOwnedExport(t, c.replicas[0], 1)
	owner.must(c.replicas[0], updateExport,
		map[string]any{"id": export.export, "rateLimitPerMinute": 1_000_000})
	publish := func(r *replica, model int) {
		owner.must(r, updateAgent, map[string]any{
			"id":           export.agent,
			"instructions": "Say your name.",
			"model":        fmt.Sprintf("acme/m%d", model),
		})
		owner.must(r, publishAgent, map[string]any{"id": export.agent})
	}
	publish(c.replicas[0], 1)

	hc := client(t)
	var early, over atomic.Bool
	var callers sync.WaitGroup
	var answered atomic.Int64
	for w := range 12 {
		callers.Go(func() {
			for n := w; !over.Load(); n++ {
				got, err := ask(t.Context(), hc, c.chat(n), export.key, fmt.Sprint("s", w), "hello")
				model := strings.TrimPrefix(got.Model, "acme/")
				switch {
				case err != nil:
					t.Errorf("a request failed: %v", err)
				case got.Status == http.StatusServiceUnavailable && early.Load() &&
					got.Header.Get("Retry-After") != "":
				case got.Status != http.StatusOK:
					t.Errorf("%d %s", got.Status, got.Body)
				case got.Reply != fmt.Sprintf("%s-%d", model, got.Usage.Credits):
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
		reload(t, owner, c.replicas[0], n)
		if early.Load() {
			publish(c.replicas[0], n)
		}
		reload(t, owner, c.replicas[1], n)
		reload(t, owner, c.replicas[2], n)
		if !early.Load() {
			publish(c.replicas[n%3], n)
		}
		before := answered.Load()
		eventually(t, "all callers are answered", func() bool { return answered.Load() >= before+24 })
	}
	over.Store(true)
	callers.Wait()
	var torn int
	readRow(t, c.store, `SELECT count(*) FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
		WHERE t.state = 'ANSWERED' AND (e.amount IS DISTINCT FROM -t.price
			OR t.reply <> substr(t.model, 6) || '-' || t.price)`, nil, &torn)
	if torn != 0 {
		t.Errorf("%d turns have another price than their model or their charge", torn)
	}
}
