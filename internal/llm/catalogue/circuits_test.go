package catalogue_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// down is a provider that cannot be reached.
type down struct{}

func (down) Generate(ctx context.Context, _ llm.Request, _ func(string) error) (llm.Reply, error) {
	llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
	return llm.Reply{}, errors.New("no connection")
}

// TestEachModelHasACircuit: an open circuit does not affect other models of the provider, and the sandbox has none.
func TestEachModelHasACircuit(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	c := catalogue.NewAt([]catalogue.Entry{
		{Name: "acme/one", Provider: "acme", Model: down{}}, {Name: "acme/two", Provider: "acme", Model: down{}},
		{Name: "acme/off", Provider: "acme"}, {Name: "sandbox/down", Provider: "sandbox", Sandbox: true, Model: down{}},
	}, func() time.Time { return now })
	for range 20 {
		for _, name := range []string{"acme/one", "sandbox/down"} {
			e, _ := c.Lookup(name)
			_, _ = e.Model.Generate(t.Context(), llm.Request{}, nil)
		}
	}
	if got := c.Away(); !slices.Equal(got, []string{"acme/one"}) {
		t.Errorf("away: %q", got)
	}
	if got := c.RetryAfter("acme/one"); got != 10*time.Second || c.RetryAfter("acme/two") != 0 || c.RetryAfter("sandbox/down") != 0 {
		t.Errorf("retry after %s", got)
	}
	if got := c.Circuits(); !maps.Equal(got, map[string]bool{"acme/one": true, "acme/two": false}) {
		t.Errorf("circuits: %v", got)
	}
	now = now.Add(10 * time.Second)
	if got := c.Away(); got == nil || len(got) != 0 || !c.Circuits()["acme/one"] {
		t.Errorf("when a probe is due, away: %#v", got)
	}
}
