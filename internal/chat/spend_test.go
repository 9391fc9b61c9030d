package chat_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// mini has the prices of 0.25, 0.025 and 2 dollars per million tokens.
var mini = &catalogue.Cost{Input: 250_000_000, CachedInput: 25_000_000, Output: 2_000_000_000}

// costed is a service with priced models of a provider: test/first and its fallback test/second, and
// test/unpriced, whose cost is not known.
type costed struct {
	*setup
	provider *llmtest.Server
}

func newCosted(t *testing.T, cost *catalogue.Cost, changes ...func(*chat.Config)) *costed {
	t.Helper()
	b := &costed{provider: llmtest.NewOpenAI(t, "")}
	limits := upstream.DefaultLimits
	limits.Pause = time.Millisecond
	model, err := openai.NewWithLimits(catalogue.ProviderConfig{BaseURL: b.provider.URL + "/v1"}, limits)
	if err != nil {
		t.Fatal(err)
	}
	entry := catalogue.Entry{Name: "test/first", UpstreamName: "first", CreditsPerMessage: 2, Cost: cost,
		ContextWindow: 100_000, Model: model}
	second, unpriced := entry, entry
	second.Name, second.UpstreamName, second.CreditsPerMessage = "test/second", "second", 3
	unpriced.Name, unpriced.Cost = "test/unpriced", nil
	b.setup = newSetup(t, 1, append([]func(*chat.Config){func(c *chat.Config) {
		c.Catalogue = sandboxOnly(entry, second, unpriced)
	}}, changes...)...)
	return b
}

// costOf returns the stored state, cached tokens and provider cost of a request's turn, with - for
// null.
func costOf(t *testing.T, s *store.DB, requestID string) (got string) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `SELECT concat_ws(' ', state,
		coalesce(cached_tokens::text, '-'), coalesce(provider_cost::text, '-'))
		FROM turns WHERE request_id = $1`, requestID).Scan(&got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// used answers with a text and a usage.
func used(text, finish string, input, cached, output int64) llmtest.Reply {
	return llmtest.OpenAIChunks(llmtest.OpenAIChunk(text, finish), llmtest.OpenAIUsage(fmt.Sprintf(
		`{"prompt_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d},"completion_tokens":%d}`,
		input, cached, output)))
}

// TestProviderCost tests that a turn costs what all of its calls cost, whether it is answered or
// fails, and that its cost is unknown if the cost of any call is. A failure costs no credits.
func TestProviderCost(t *testing.T) {
	t.Parallel()
	const fits, doesNot, costs = `{"note":"a","count":1}`, `{"note":"b","count":0}`, "ANSWERED 400 560000"
	full := func(text string) llmtest.Reply { return used(text, "stop", 1_000, 400, 200) }
	blocked := used("", "content_filter", 1_000, 400, 200)
	broken := llmtest.OpenAIChunks(`{"choices":[],"error":{"code":500}}`)
	for _, tc := range []struct {
		name    string
		o       storetest.Options
		replies []llmtest.Reply
		want    string
		credits int64
	}{
		{"one call", storetest.Options{}, []llmtest.Reply{full("yes")}, costs, 2},
		{"nothing cached", storetest.Options{}, []llmtest.Reply{used("yes", "stop", 1_000, 0, 200)}, "ANSWERED 0 650000", 2},
		{"more cached than sent", storetest.Options{}, []llmtest.Reply{used("yes", "stop", 1_000, 1_001, 200)},
			"ANSWERED - 650000", 2},
		{"busy once", storetest.Options{}, []llmtest.Reply{llmtest.Status(503), full("yes")}, costs, 2},
		{"a second attempt", storetest.Options{ReplySchema: orderSchema}, []llmtest.Reply{full(doesNot), full(fits)},
			"ANSWERED 800 1120000", 2},
		{"two attempts in vain", storetest.Options{ReplySchema: orderSchema}, []llmtest.Reply{full(doesNot), full(doesNot)},
			"FAILED - 1120000", 0},
		{"a second attempt in vain", storetest.Options{ReplySchema: orderSchema}, []llmtest.Reply{full(doesNot), broken},
			"FAILED - -", 0},
		{"the fallback", storetest.Options{FallbackModel: "test/second"}, []llmtest.Reply{llmtest.Status(500), full("yes")},
			costs, 3},
		{"the fallback after a broken answer", storetest.Options{FallbackModel: "test/second"},
			[]llmtest.Reply{broken, full("yes")}, "ANSWERED 400 -", 3},
		{"blocked", storetest.Options{}, []llmtest.Reply{blocked}, "FAILED - 560000", 0},
		{"refused", storetest.Options{}, []llmtest.Reply{llmtest.Status(400)}, "FAILED - 0", 0},
		{"broken", storetest.Options{}, []llmtest.Reply{broken}, "FAILED - -", 0},
		{"no answer", storetest.Options{}, []llmtest.Reply{llmtest.Drop()}, "FAILED - -", 0},
		{"no usage", storetest.Options{}, []llmtest.Reply{llmtest.OpenAIChunks(llmtest.OpenAIChunk("yes", "stop"))},
			"ANSWERED - -", 2},
		{"no price", storetest.Options{Model: "test/unpriced"}, []llmtest.Reply{full("yes")}, "ANSWERED 400 -", 2},
		{"no price, refused", storetest.Options{Model: "test/unpriced"}, []llmtest.Reply{llmtest.Status(400)}, "FAILED - 0", 0},
		{"the sandbox", storetest.Options{Model: storetest.SandboxModel}, nil, "ANSWERED - 0", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newCosted(t, mini)
			if tc.o.Model == "" {
				tc.o.Model = "test/first"
			}
			f := storetest.Seed(t, b.store, tc.o)
			b.provider.Next(tc.replies...)
			msg := newMessage(f, "s", "hello")
			_, err := b.replicas[0].Send(t.Context(), msg)
			if got := costOf(t, b.store, msg.RequestID); got != tc.want {
				t.Errorf("%s, want %s (%v)", got, tc.want, err)
			}
			wantCredits(t, b.store, f, 100-tc.credits)
		})
	}
}

// TestCostOfAnAbandonedCall tests that the cost of a call is unknown if the service did not wait for
// its end: at the deadline, when the reader stops it, and when its conversation is deleted.
func TestCostOfAnAbandonedCall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *setup, storetest.Fixture, chan struct{}){
		"deadline": func(*testing.T, *setup, storetest.Fixture, chan struct{}) {},
		"stopped":  func(_ *testing.T, _ *setup, _ storetest.Fixture, stop chan struct{}) { close(stop) },
		"deleted": func(t *testing.T, b *setup, f storetest.Fixture, _ chan struct{}) {
			t.Helper()
			deleteConversation(t, b.store, f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			called, stop, open := make(chan struct{}), make(chan struct{}), make(chan struct{})
			defer close(open)
			model := script(func(context.Context) (llm.Reply, error) { // it ignores its context
				close(called)
				<-open
				return llm.Reply{}, nil
			})
			b := newSetup(t, 1, func(c *chat.Config) {
				c.Catalogue = sandboxOnly(catalogue.Entry{Name: testModel, CreditsPerMessage: 1, Cost: mini, Model: model})
				if name == "deadline" {
					c.ModelTimeout = 50 * time.Millisecond
				}
			})
			f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
			msg := newTestMessage(f, "s", "hello")
			msg.Stop = stop
			sent := sendLater(t.Context(), b.replicas[0], msg)
			<-called
			end(t, b, f, stop)
			err := <-sent
			if got := costOf(t, b.store, msg.RequestID); got != "FAILED - -" {
				t.Errorf("%s (%v)", got, err)
			}
		})
	}
}

// TestCostsOfOtherPrices tests that new prices change neither stored turns nor one in flight.
func TestCostsOfOtherPrices(t *testing.T) {
	t.Parallel()
	called, open := make(chan struct{}, 3), make(chan struct{})
	model := script(func(context.Context) (llm.Reply, error) {
		called <- struct{}{}
		<-open
		return llm.Reply{Text: "yes", InputTokens: new(int64(1_000)), OutputTokens: new(int64(200))}, nil
	})
	models := func(factor int64) *catalogue.Catalogue {
		cost := catalogue.Cost{Input: factor * mini.Input, Output: factor * mini.Output}
		return catalogue.New([]catalogue.Entry{{Name: testModel, Cost: &cost, ContextWindow: 4096, Model: model}})
	}
	live := catalogue.NewLive(models(1))
	b := newSetup(t, 1, func(c *chat.Config) { c.Catalogue = live })
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
	before, after := newMessage(f, "s", "hello"), newMessage(f, "s", "hello")
	sent := sendLater(t.Context(), b.replicas[0], before)
	<-called
	live.Replace(models(3))
	close(open)
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	send(t, b.replicas[0], after)
	if first, second := costOf(t, b.store, before.RequestID), costOf(t, b.store, after.RequestID); first != "ANSWERED - 650000" ||
		second != "ANSWERED - 1950000" {
		t.Errorf("%s, then %s", first, second)
	}
}
