package turns_test

import (
	"fmt"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const second = "sandbox/second"

// atPrices gives a begin the price list of both models.
func atPrices(first, fallback int64) func(*turns.Begin) {
	return func(b *turns.Begin) {
		b.Models, b.Prices = []string{storetest.SandboxModel, second}, []int64{first, fallback}
	}
}

// TestHoldsTheHigherPrice: a message holds the price of the more expensive of both models, and
// begins as long as one of them can be called. A fallback model that is no longer offered is
// ignored.
func TestHoldsTheHigherPrice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*turns.Begin)
		want   turns.Outcome
		price  int64
	}{
		"a dearer fallback":    {change: atPrices(1, 3), want: turns.Begun, price: 3},
		"a cheaper fallback":   {change: atPrices(3, 1), want: turns.Begun, price: 3},
		"a free fallback":      {change: atPrices(1, 0), want: turns.Begun, price: 1},
		"too dear a fallback":  {change: atPrices(1, 6), want: turns.InsufficientCredits, price: 6},
		"beyond the limit":     {change: atPrices(1, 5), want: turns.LimitReached, price: 5},
		"a withdrawn fallback": {want: turns.Begun, price: 1},
		"a withdrawn model":    {change: func(b *turns.Begin) { b.Models = []string{second} }, want: turns.ModelWithdrawn},
		"the model is away":    {change: away(storetest.SandboxModel), want: turns.Begun, price: 3},
		"the fallback is away": {change: away(second), want: turns.Begun, price: 3},
		"both are away":        {change: away(storetest.SandboxModel, second), want: turns.ModelUnavailable, price: 3},
		"the model is away, and the fallback withdrawn": {change: func(b *turns.Begin) { b.Unavailable = b.Models },
			want: turns.ModelUnavailable, price: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, storetest.Options{Credits: 5, FallbackModel: second})
			storetest.SetLimits(t, s, f, agent.ExportChanges{DailyCreditLimit: storetest.SetTo(int64(4))})
			if got := storetest.BeginTurn(t, s, f.Key, c.change); got.Outcome != c.want || got.Price != c.price || got.Model != storetest.SandboxModel {
				t.Errorf("%s at %d by %s, want %s at %d", got.Outcome, got.Price, got.Model, c.want, c.price)
			}
			storetest.Audit(t, s)
		})
	}
}

func away(models ...string) func(*turns.Begin) {
	return func(b *turns.Begin) { atPrices(1, 3)(b); b.Unavailable = models }
}

// A version whose replies do not fit is refused whatever models it has, and the model that the
// playground asks for has no fallback.
func TestNoFallback(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{FallbackModel: second})
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { atPrices(1, 3)(b); b.Unavailable = []string{turns.VersionName(f.Agent.ID, 1)} })
	if got.Outcome != turns.ModelUnavailable {
		t.Errorf("a version whose replies violate its schema: %s", got.Outcome)
	}
	for given, want := range map[string]string{"": "begun 3", storetest.SandboxModel: "begun 1"} {
		b := storetest.NewBegin(f.Key)
		atPrices(1, 3)(&b)
		b.Source, b.AccountID, b.AgentID, b.Model, b.Session = conversation.Playground, f.Account.ID, f.Agent.ID, given, "s"+given
		if got, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || fmt.Sprint(got.Outcome, " ", got.Price) != want {
			t.Errorf("the model %q: %s at %d, %v, want %s", given, got.Outcome, got.Price, err, want)
		}
	}
	storetest.Audit(t, s)
}
