package chat_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// TestAModelThatOnlyOthersOffer tests a version that was just published with a model of a newer
// models file. Callers get Retry-After until this process offers the model. Later, and for a model
// that it has offered, the refusal names the problem.
func TestAModelThatOnlyOthersOffer(t *testing.T) {
	t.Parallel()
	models := sandboxOnly()
	b := newSetup(t, 1, func(c *chat.Config) { c.Catalogue = models })
	fresh := storetest.Seed(t, b.store, storetest.Options{Model: "acme/new"})
	old := storetest.Seed(t, b.store, storetest.Options{Model: "acme/new", Age: 61 * time.Second})
	wantFault(t, b.replicas[0], newMessage(fresh, "s", "just published"), fault.ModelUnavailable)
	wantFault(t, b.replicas[0], newMessage(old, "s", "published a minute ago"), fault.AgentNotReady)
	models.Replace(pricedAt("acme/new", 1))
	send(t, b.replicas[0], newMessage(fresh, "s", "once it is offered"))
	models.Replace(catalogue.New(nil))
	wantFault(t, b.replicas[0], newMessage(fresh, "s", "withdrawn"), fault.AgentNotReady)
}

// priced is a model that replies with its price.
type priced int64

func (p priced) Generate(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	return llm.Reply{Text: fmt.Sprint(int64(p)), Finish: llm.FinishStop}, nil
}

// pricedAt returns a catalogue with a model that replies with its price.
func pricedAt(name string, price int64) *catalogue.Catalogue {
	return catalogue.New([]catalogue.Entry{
		{Name: name, CreditsPerMessage: price, ContextWindow: 4096, Model: priced(price)},
	})
}

// TestATurnHasOneCatalogue tests that a turn costs what the model costs that answers it, whatever
// is replaced meanwhile, in batches too.
func TestATurnHasOneCatalogue(t *testing.T) {
	t.Parallel()
	models := sandboxOnly()
	models.Replace(pricedAt("acme/one", 1))
	b := newSetup(t, 1, func(c *chat.Config) { c.Catalogue = models })
	f := storetest.Seed(t, b.store, storetest.Options{Model: "acme/one", Credits: 1_000_000,
		RatePerMinute: 1_000_000})
	var over atomic.Bool
	var callers sync.WaitGroup
	var seen [8]atomic.Int64 // messages by price
	for w := range 8 {
		callers.Go(func() {
			for n := 0; !over.Load(); n++ {
				result, err := b.replicas[0].Send(t.Context(), newMessage(f, fmt.Sprint(w, " ", n), "hello"))
				if err != nil || result.Answer.Reply != fmt.Sprint(result.Answer.Credits) {
					t.Errorf("%+v %v", result.Answer, err)
					return
				}
				seen[result.Answer.Credits].Add(1)
			}
		})
	}
	for price := range int64(60) {
		models.Replace(pricedAt("acme/one", 1+price%7))
		send(t, b.replicas[0], newMessage(f, fmt.Sprint("change ", price), "hello"))
	}
	over.Store(true)
	callers.Wait()
	for price := 1; price <= 7; price++ {
		if seen[price].Load() == 0 {
			t.Errorf("no message at a price of %d: nothing was shown", price)
		}
	}
}
