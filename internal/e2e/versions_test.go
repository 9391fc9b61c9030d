package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/testlong"
)

const publishDraft = `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { version { number } } }`

// editions publishes version after version of an agent. Version n has instructions and a model by which its replies are known.
type editions struct {
	t     *testing.T
	owner *browser
	agent string
	// mu lets one publish at a time.
	mu        sync.Mutex
	published atomic.Int64
}

func edition(n int) (instructions, model string) {
	return fmt.Sprintf("edition %d", n), [2]string{"sandbox/assistant", "sandbox/free"}[n%2]
}

// do runs a mutation; it may be called from any goroutine.
func (e *editions) do(r *replica, query string, input map[string]any) panelAnswer {
	got, err := e.owner.do(r, query, input)
	if err != nil || got.code() != "ok" {
		e.t.Errorf("%s: %v %d %s", query, err, got.Status, got.Raw)
	}
	return got
}

// draft edits the draft.
func (e *editions) draft(r *replica, instructions, model string) {
	e.do(r, updateDraft, map[string]any{"id": e.agent, "instructions": instructions, "model": model})
}

// publish publishes the next edition through a replica, and leaves a draft that never goes live.
func (e *editions) publish(r *replica) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := int(e.published.Load()) + 1
	instructions, model := edition(next)
	e.draft(r, instructions, model)
	e.publishDraft(r)
	e.draft(r, "edition of nobody", "sandbox/free")
	return next
}

// publishDraft publishes the draft as it is.
func (e *editions) publishDraft(r *replica) int {
	next := int(e.published.Load()) + 1
	var made struct {
		PublishAgent struct{ Version struct{ Number int } }
	}
	got := e.do(r, publishDraft, map[string]any{"id": e.agent})
	if err := json.Unmarshal(got.Data, &made); err != nil || made.PublishAgent.Version.Number != next {
		e.t.Errorf("published as %s, want version %d", got.Raw, next)
	}
	e.published.Store(int64(next))
	return next
}

// fits reports whether a reply is one of the edition.
func fits(got answer, n int) bool {
	instructions, model := edition(n)
	return strings.Contains(got.Reply, "“"+instructions+"”") && got.Model == model
}

func newEditions(t *testing.T, r *replica) (*editions, ownedExport) {
	t.Helper()
	owner, export := newOwnedExport(t, r, "10.3.0.1")
	owner.must(r, `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }`,
		map[string]any{"id": export.export, "rateLimitPerMinute": 1_000_000})
	e := &editions{t: t, owner: owner, agent: export.agent}
	e.published.Store(1) // by newOwnedExport
	return e, export
}

// TestVersionsOverTwoReplicas publishes through two replicas while both answer: draft and live never mix.
func TestVersionsOverTwoReplicas(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	auditing(t, p.store)
	e, export := newEditions(t, p.replicas[0])
	e.publish(p.replicas[0])
	const chats, publishes = 200, 20
	every := chats / publishes
	parallel(16, chats, func(i int) string {
		if i%every == every/2 {
			e.publish(p.replicas[i/every%2])
		}
		floor := int(e.published.Load())
		got, err := ask(t.Context(), c, p.chat(i), export.key, fmt.Sprint("session ", i%50), "hello")
		switch {
		case err != nil || got.Status != http.StatusOK:
			t.Errorf("chat %d: %s %v %s", i, got.outcome(), err, got.Body)
		case !fits(got, got.Version):
			t.Errorf("chat %d does not fit the version it names: %s", i, got.Body)
		case got.Version < floor:
			t.Errorf("chat %d began after version %d was published: %s", i, floor, got.Body)
		}
		return ""
	})
	var stored int
	err := p.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns t
		JOIN agent_versions v ON v.agent_id = t.agent_id AND v.number = t.version AND v.settings ->> 'model' = t.model
		WHERE t.reply LIKE '%“' || (v.settings ->> 'instructions') || '”%'`).Scan(&stored)
	if err != nil || stored != chats || int(e.published.Load()) != publishes+2 {
		t.Errorf("%d of %d turns fit their version in the database, of %d versions: %v", stored, chats, e.published.Load(), err)
	}
}
