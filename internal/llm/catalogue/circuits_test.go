package catalogue_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// down is a provider that cannot be reached.
type down struct{}

func (down) Generate(ctx context.Context, _ llm.Request, _ func(string) error) (llm.Reply, error) {
	llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
	return llm.Reply{}, errors.New("no connection")
}

// TestCircuitPerAccountAndModel shows that an open circuit affects neither other models of the
// provider nor other accounts, and that the sandbox has none.
func TestCircuitPerAccountAndModel(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	c := catalogue.NewAt([]catalogue.Entry{
		{Name: "acme/one", Provider: "acme", Model: down{}}, {Name: "acme/two", Provider: "acme", Model: down{}},
		{Name: "acme/off", Provider: "acme"}, {Name: "sandbox/down", Provider: "sandbox", Sandbox: true, Model: down{}},
	}, func() time.Time { return now })
	account, other := uuid.New(), uuid.New()
	for range 20 {
		for _, name := range []string{"acme/one", "sandbox/down"} {
			e, _ := c.Lookup(name)
			_, _ = e.Model.Generate(t.Context(), llm.Request{Account: account}, nil)
		}
	}
	if got := c.Away(account); !slices.Equal(got, []string{"acme/one"}) {
		t.Errorf("away: %q", got)
	}
	for _, who := range []uuid.UUID{other, uuid.Nil} {
		if got := c.Away(who); len(got) != 0 || c.RetryAfter("acme/one", who) != 0 {
			t.Errorf("away for another account: %q", got)
		}
	}
	if got := c.RetryAfter("acme/one", account); got != 10*time.Second ||
		c.RetryAfter("acme/two", account) != 0 ||
		c.RetryAfter("sandbox/down", account) != 0 {
		t.Errorf("retry after %s", got)
	}
	if got := c.Circuits(); !maps.Equal(got, map[string]int{"acme/one": 1, "acme/two": 0}) {
		t.Errorf("circuits: %v", got)
	}
	now = now.Add(10 * time.Second)
	if got := c.Away(account); len(got) != 0 || c.Circuits()["acme/one"] != 1 {
		t.Errorf("when a probe is due, away: %q", got)
	}
}
