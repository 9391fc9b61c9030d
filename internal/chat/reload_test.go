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
	expect := func(what string, f storetest.Fixture, want fault.Kind) {
		t.Helper()
		_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
		if !fault.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	expect("just published", fresh, fault.ModelUnavailable)
	expect("published a minute ago", old, fault.AgentNotReady)
	models.Replace(catalogue.New([]catalogue.Entry{{Name: "acme/new", CreditsPerMessage: 1,
		ContextWindow: 4096, Model: priced(1)}}))
	if _, err := b.replicas[0].Send(t.Context(), newMessage(fresh, "s", "hello")); err != nil {
		t.Errorf("once it is offered: %v", err)
	}
	models.Replace(catalogue.New(nil))
	expect("withdrawn", fresh, fault.AgentNotReady)
}

// priced is a model that replies with its price.
type priced int64

func (p priced) Generate(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	return llm.Reply{Text: fmt.Sprint(int64(p)), Finish: llm.FinishStop}, nil
}

// TestATurnHasOneCatalogue: whatever is replaced meanwhile, a turn costs what the model costs that
// answers it, in batches too.
func TestATurnHasOneCatalogue(t *testing.T) {
	t.Parallel()
	models := sandboxOnly()
	at := func(price int64) {
		models.Replace(catalogue.New([]catalogue.Entry{{Name: "acme/one", CreditsPerMessage: price,
			ContextWindow: 4096, Model: priced(price)}}))
	}
	at(1)
	b := newSetup(t, 1, func(c *chat.Config) { c.Catalogue = models })
	f := storetest.Seed(t, b.store,
		storetest.Options{Model: "acme/one", Credits: 1_000_000, RatePerMinute: 1_000_000})
	var over atomic.Bool
	var callers sync.WaitGroup
	prices := make([]map[int64]int, 8)
	for w := range prices {
		prices[w] = map[int64]int{}
		callers.Go(func() {
			for n := 0; !over.Load(); n++ {
				result, err := b.replicas[0].Send(t.Context(), newMessage(f, fmt.Sprint(w, " ", n), "hello"))
				if err != nil || result.Answer.Reply != fmt.Sprint(result.Answer.Credits) {
					t.Errorf("%+v %v", result.Answer, err)
					return
				}
				prices[w][result.Answer.Credits]++
			}
		})
	}
	seen := func() (messages, different int) {
		all := map[int64]int{}
		for _, each := range prices {
			for price, n := range each {
				all[price] += n
				messages += n
			}
		}
		return messages, len(all)
	}
	for price := range int64(60) {
		at(1 + price%7)
		send(t, b.replicas[0], newMessage(f, fmt.Sprint("change ", price), "hello"))
	}
	over.Store(true)
	callers.Wait()
	messages, different := seen()
	if different != 7 {
		t.Errorf("%d messages at %d prices: nothing was shown", messages, different)
	}
	t.Logf("%d messages at %d prices", messages, different)
}
