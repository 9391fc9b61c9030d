package e2e_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
)

const publishDraft = `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { version { number } } }`

// editions publishes versions of an agent.
type editions struct {
	t         *testing.T
	owner     *browser
	agent     string
	published atomic.Int64
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

func newEditions(t *testing.T, r *replica) (*editions, ownedExport) {
	t.Helper()
	owner, export := newOwnedExport(t, r, "10.3.0.1")
	owner.must(r, `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }`,
		map[string]any{"id": export.export, "rateLimitPerMinute": 1_000_000})
	e := &editions{t: t, owner: owner, agent: export.agent}
	e.published.Store(1) // by newOwnedExport
	return e, export
}
