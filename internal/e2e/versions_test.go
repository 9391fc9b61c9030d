package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
)

const (
	publishDraft = `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { version { number } } }`
	pinExport    = `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { version } } }`
	restoreDraft = `mutation($input: RestoreAgentVersionInput!) { restoreAgentVersion(input: $input) { agent { id } } }`
)

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
func TestVersionsOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "V1")
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	t.audit(p.store)
	e, export := newEditions(tt, p.replicas[0])
	e.publish(p.replicas[0])
	chats, publishes := faults.Times(200, 10_000), faults.Times(20, 50)
	every := chats / publishes
	outcomes := parallel(16, chats, func(i int) string {
		if i%every == every/2 {
			e.publish(p.replicas[i/every%2])
		}
		floor := int(e.published.Load())
		got, err := ask(t.Context(), c, p.chat(i), export.key, fmt.Sprint("session ", i%50), "hello")
		switch {
		case err != nil || got.Status != http.StatusOK:
			t.Errorf("chat %d: %s %v %s", i, got.outcome(), err, got.Body)
			return "failed"
		case !fits(got, got.Version):
			t.Errorf("chat %d does not fit the version it names: %s", i, got.Body)
			return "mixed"
		case got.Version < floor:
			t.Errorf("chat %d began after version %d was published: %s", i, floor, got.Body)
			return "old"
		}
		return "fits"
	})
	t.ran(chats)
	var named, stored int
	err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(DISTINCT t.version), count(*) FROM turns t
		JOIN agent_versions v ON v.agent_id = t.agent_id AND v.number = t.version AND v.model = t.model
		WHERE t.reply LIKE '%“' || v.instructions || '”%'`).Scan(&named, &stored)
	if err != nil || stored != chats || int(e.published.Load()) != publishes+2 {
		t.Errorf("%d of %d turns fit their version in the database, of %d versions: %v", stored, chats, e.published.Load(), err)
	}
	t.measured("%v; %d publishings, %d versions answered", outcomes, publishes, named)
}

// TestPinsOverTwoReplicas pins, unpins and restores: what was changed through one replica holds with the next message on both.
func TestPinsOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "V1")
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	t.audit(p.store)
	e, export := newEditions(tt, p.replicas[0])
	second := e.publish(p.replicas[0])
	third := e.publish(p.replicas[1])
	r := t.random()
	expect := func(what string, version, content int) {
		t.Helper()
		for i := range p.replicas {
			got, err := ask(t.Context(), c, p.chat(i), export.key, "one session", "hello")
			if err != nil || got.Version != version || !fits(got, content) {
				t.Errorf("%s, replica %d: want version %d as edition %d: %v %s", what, i, version, content, err, got.Body)
			}
		}
	}
	pin := func(version any) {
		e.do(p.replicas[r.IntN(2)], pinExport, map[string]any{"id": export.export, "version": version})
	}
	live, content := third, third
	rounds := faults.Times(5, 100)
	for range rounds {
		expect("published", live, content)
		pin(second)
		expect("pinned", second, second)
		e.draft(p.replicas[r.IntN(2)], "edition of nobody", "sandbox/free")
		restored := []int{second, third}[r.IntN(2)]
		e.do(p.replicas[r.IntN(2)], restoreDraft, map[string]any{"id": e.agent, "number": restored})
		if restored == content { // nothing to publish
			restored = second + third - content
			e.do(p.replicas[r.IntN(2)], restoreDraft, map[string]any{"id": e.agent, "number": restored})
		}
		once := []string{"Idempotency-Key", uuid.NewString()}
		before, err := ask(t.Context(), c, p.chat(r.IntN(2)), export.key, "one session", "hello", once...)
		live, content = e.publishDraft(p.replicas[r.IntN(2)]), restored
		expect("pinned beside a publishing", second, second)
		pin(nil)
		replay, replayErr := ask(t.Context(), c, p.chat(r.IntN(2)), export.key, "one session", "hello", once...)
		if err != nil || replayErr != nil || before.Version != second || string(replay.Body) != string(before.Body) {
			t.Errorf("a replay after a publishing: %s, before it %s (%v, %v)", replay.Body, before.Body, err, replayErr)
		}
		expect("unpinned", live, content)
	}
	t.ran(rounds)
	t.measured("%d rounds of pinning, restoring, publishing and unpinning, each seen on both replicas", rounds)
}
