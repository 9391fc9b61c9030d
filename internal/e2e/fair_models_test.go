package e2e_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// poisons are messages of one tenant, and what the model's server does with them. All others are answered at once.
func poisons() map[string]llmtest.Reply {
	return map[string]llmtest.Reply{
		"poison: hang": llmtest.Hang(), "poison: fail": llmtest.Status(http.StatusInternalServerError), "poison: think": llmtest.HangAfter(),
	}
}

// TestQuietTenantBesideFailingCalls: whatever one tenant's messages do to a model, on two replicas, another tenant's messages to it are
// answered, and as fast as ever.
func TestQuietTenantBesideFailingCalls(t *testing.T) {
	testlong.Only(t)
	const connections, each, slowest = 12, 20, time.Second
	server := llmtest.NewOpenAI(t, openAIKey)
	server.Always(func(c *llmtest.Call) {
		reply := llmtest.Text("Aye.")
		for message, poisoned := range poisons() {
			if bytes.Contains(c.Request.Body, []byte(message)) {
				reply = poisoned
			}
		}
		reply(c)
	})
	p := newPair(t, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+server.URL+"/v1", "MODEL_TIMEOUT=2s")
	noisy := storetest.Seed(t, p.store, storetest.Options{Model: openAIModel})
	quiet := storetest.Seed(t, p.store, storetest.Options{Model: openAIModel, Credits: 1_000})
	hc := client(t)
	var took []time.Duration
	refused := 0
	for message := range poisons() {
		ctx, stop := context.WithCancel(t.Context())
		var noise sync.WaitGroup
		var failed [2]atomic.Int64
		for i := range connections {
			noise.Go(func() {
				for ctx.Err() == nil {
					got, err := ask(ctx, hc, p.chat(i), noisy.Key.Reveal(), "", message)
					if err == nil && got.Status == http.StatusOK {
						t.Errorf("%s: it was answered: %s", message, got.Body)
					}
					failed[i%2].Add(1)
				}
			})
		}
		eventually(t, "the noisy tenant's calls fail", func() bool { return failed[0].Load() >= connections && failed[1].Load() >= connections })
		for i := range 2 * each {
			began := time.Now()
			got, err := ask(t.Context(), hc, p.chat(i), quiet.Key.Reveal(), "", "hello")
			took = append(took, time.Since(began))
			if err != nil || got.Status != http.StatusOK {
				refused++
				t.Logf("%s: the quiet tenant: %d %s %v", message, got.Status, got.Body, err)
			}
		}
		for _, r := range p.replicas {
			if status := r.ready(); status != http.StatusOK {
				t.Errorf("%s: /readyz answers %d", message, status)
			}
		}
		stop()
		noise.Wait()
	}
	p99 := percentile(took, 99)
	t.Logf("of %d quiet messages %d were refused; the median took %v, the p99 %v", len(took), refused, percentile(took, 50), p99)
	if refused > 0 || p99 > slowest {
		t.Errorf("of %d quiet messages %d were refused; the p99 is %v, want at most %v", len(took), refused, p99, slowest)
	}
	storetest.Audit(t, p.store)
}
