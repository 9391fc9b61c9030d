package catalogue_test

import (
	"context"
	"maps"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// up is a provider that answers.
type up struct{}

func (up) Generate(ctx context.Context, _ llm.Request, _ func(string) error) (llm.Reply, error) {
	llm.ReportAttempt(ctx, llm.Attempt{})
	return llm.Reply{Text: "Hello."}, nil
}

// TestReplaceKeepsCircuits shows that a model keeps its circuits by its name, whatever its provider
// is now. Calls that are running count for them.
func TestReplaceKeepsCircuits(t *testing.T) {
	t.Parallel()
	entries := func(model llm.Model, credits int64) *catalogue.Catalogue {
		return catalogue.New([]catalogue.Entry{
			{Name: "acme/one", Provider: "acme", CreditsPerMessage: credits, Model: model}, {Name: "acme/two", Provider: "acme", Model: model}})
	}
	live := catalogue.NewLive(entries(down{}, 1))
	before := live.Now()
	old, _ := before.Lookup("acme/one")
	for range 4 {
		_, _ = old.Model.Generate(t.Context(), llm.Request{}, nil)
	}
	live.Replace(entries(up{}, 2))
	_, _ = old.Model.Generate(t.Context(), llm.Request{}, nil) // the fifth
	if got := live.Now().Circuits(); !maps.Equal(got, map[string]int{"acme/one": 1, "acme/two": 0}) {
		t.Errorf("circuits: %v", got)
	}
	fresh, _ := live.Now().Lookup("acme/one")
	if _, err := fresh.Model.Generate(t.Context(), llm.Request{}, nil); err == nil ||
		fresh.CreditsPerMessage != 2 {
		t.Errorf("price %d, %v", fresh.CreditsPerMessage, err)
	}
	if _, prices := before.PriceList(); prices[0] != 1 {
		t.Errorf("the catalogue of running turns has the prices %v", prices)
	}
}

func TestOffered(t *testing.T) {
	t.Parallel()
	live := catalogue.NewLive(catalogue.New([]catalogue.Entry{{Name: "acme/one", Model: up{}},
		{Name: "acme/off"}}))
	live.Replace(catalogue.New([]catalogue.Entry{{Name: "acme/two", Model: up{}}}))
	for name, want := range map[string]bool{"acme/one": true, "acme/two": true, "acme/off": false, "acme/new": false} {
		if got := live.Offered(name); got != want {
			t.Errorf("%s was offered: %t", name, got)
		}
	}
}
