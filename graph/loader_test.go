package graph_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/graph"
	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

func someIDs(n int) []uuid.UUID {
	out := make([]uuid.UUID, n)
	for i := range out {
		out[i] = uuid.Must(uuid.NewV7())
	}
	return out
}

// source answers with each id's own text, except for the missing one.
type source struct {
	calls   atomic.Int64
	missing uuid.UUID
	err     error
}

func (s *source) load(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	s.calls.Add(1)
	out := map[uuid.UUID]string{}
	for _, id := range ids {
		if id != s.missing {
			out[id] = id.String()
		}
	}
	return out, s.err
}

func TestLoaderAnswersByKeyInAnyOrder(t *testing.T) {
	t.Parallel()
	ids := someIDs(100)
	l := &source{missing: ids[3]}
	b := graph.NewLoader(l.load)
	b.Batch(ids)
	var wait sync.WaitGroup
	for _, id := range slices.Backward(ids) {
		wait.Go(func() {
			got, ok, err := b.Get(t.Context(), id)
			if err != nil || ok != (id != l.missing) || ok && got != id.String() {
				t.Errorf("%s: %q %v %v", id, got, ok, err)
			}
		})
	}
	wait.Wait()
	if n := l.calls.Load(); n != 1 {
		t.Errorf("loaded %d times", n)
	}
	if got, ok, err := b.Get(t.Context(), uuid.Must(uuid.NewV7())); !ok || err != nil || got == "" || l.calls.Load() != 2 {
		t.Errorf("a row outside the batch: %q %v %v, %d loads", got, ok, err, l.calls.Load())
	}
	b.Batch(ids[50:]) // already in a batch
	if _, _, err := b.Get(t.Context(), ids[60]); err != nil || l.calls.Load() != 2 {
		t.Errorf("a row that came twice was loaded twice: %v", err)
	}
}

func TestLoaderDistinguishesMissingFromErrors(t *testing.T) {
	t.Parallel()
	ids := someIDs(3)
	failure := errors.New("unavailable")
	failing := graph.NewLoader((&source{err: failure}).load)
	failing.Batch(ids)
	for _, id := range ids {
		if _, _, err := failing.Get(t.Context(), id); !errors.Is(err, failure) {
			t.Errorf("the error is gone: %v", err)
		}
	}
	b := graph.NewLoader((&source{missing: ids[0]}).load)
	if got, ok, err := b.Get(t.Context(), ids[0]); ok || err != nil || got != "" {
		t.Errorf("missing: %q %v %v", got, ok, err)
	}
}

// Nested lists multiply, but a response stays bounded.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	made := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{Model: storetest.SandboxModel,
		Instructions: strings.Repeat("x", agent.MaxInstructions)})
	for range 60 {
		storetest.SeedExport(t, b.store, u.account.ID, made.ID, agent.MaxRatePerMinute)
	}
	for what, below := range map[string]string{"many": "exports { agent { exports { agent { exports { id name } } } } }",
		"long": "exports { agent { exports { agent { instructions } } } }"} {
		a := u.do(t, `{ agents { nodes { `+below+` } } }`, nil)
		if a.code() != "LIMIT_EXCEEDED" || len(a.Errors) != 1 || len(a.body) > 2000 {
			t.Errorf("%s: %d errors, %d bytes: %.300s", what, len(a.Errors), len(a.body), a.body)
		}
	}
	u.do(t, `{ agents { nodes { exports { agent { exports { id } } } } } }`, nil).wantNone(t, "3,600 of them")
}
