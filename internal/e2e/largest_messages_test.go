package e2e_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

// largestAgent has instructions of 128,000 characters of four bytes, most of them from values.
func largestAgent(model string) (o storetest.Options, values map[string]string) {
	o = storetest.Options{Model: model}
	values = map[string]string{}
	for i := range 8 {
		name := fmt.Sprintf("v%d", i)
		o.Variables = append(o.Variables, agent.Variable{Name: name})
		o.Instructions += strings.Repeat("{{"+name+"}}", 4)
		values[name] = strings.Repeat("😀", agent.MaxVariableValue)
	}
	return o, values
}

// largestTurns sends turns of the largest shape from three tenants, all at once. A quiet tenant is
// answered meanwhile, and afterwards every tenant is.
func (b *memoryBench) largestTurns() {
	const turns = 500
	var tenants []storetest.Fixture
	var values map[string]string
	for _, model := range []string{openAIModel, geminiModel, openAIModel, geminiModel} {
		var o storetest.Options
		o, values = largestAgent(model)
		tenants = append(tenants, b.seed(o))
	}
	quiet, noisy := tenants[3], tenants[:3]
	say := func(f storetest.Fixture, session, message string) string {
		return outcomeOf(askWith(b.Context(), b.http, b.r.Chat, f.Key.Reveal(), map[string]any{
			"session_id": session,
			"variables":  values,
			"message":    message + strings.Repeat("m", 4<<10-len(message)),
		}))
	}
	sayAll := func(workers int, message string) map[string]int {
		return parallel(workers, turns, func(i int) string {
			return say(noisy[i%3], fmt.Sprint("s", i), message)
		})
	}
	filled := sayAll(8, fillHistory)
	if filled["200"] != turns {
		b.Fatalf("while histories were filled: %v", filled)
	}
	var ended atomic.Int64
	outcomes := make(chan map[string]int, 1)
	go func() {
		outcomes <- parallel(turns, turns, func(i int) string {
			defer ended.Add(1)
			return say(noisy[i%3], fmt.Sprint("s", i), waitForOthers)
		})
	}()
	var longest time.Duration
	answered := map[string]int{}
	eventually(b, "every turn waits or has ended", func() bool {
		began := time.Now()
		answered[say(quiet, "s", "The quiet one. ")]++
		longest = max(longest, time.Since(began))
		return b.models.waiting.Load()+ended.Load() == int64(turns)
	})
	b.models.release()
	got := <-outcomes
	b.Logf("%v; the quiet tenant: %v, the longest after %s", got, answered, longest)
	if got["200"] == 0 || got["unavailable"] == 0 || got["200"]+got["unavailable"] != turns {
		b.Errorf("%v, want replies, and refusals of what did not fit", got)
	}
	if delete(answered, "200"); len(answered) > 0 || longest > 5*time.Second {
		b.Errorf("the quiet tenant: %v, the longest after %s", answered, longest)
	}
	if again := sayAll(4, "Continue. "); again["200"] != turns {
		b.Errorf("afterwards: %v", again)
	}
	total := int64(0)
	for _, f := range noisy {
		expectNoHold(b, b.store, f)
		charged, _ := chargesOf(b, b.store, f)
		total += charged
	}
	if want := int64(2*turns + got["200"]); total != want {
		b.Errorf("%d charges for %d replies", total, want)
	}
}

// largestMessages sends 400 messages of the largest size at once. Thirty seconds after the last
// answer, nothing is held.
func (b *memoryBench) largestMessages() {
	const messages, settled = 400, 30 * time.Second
	f := b.seed(storetest.Options{Model: openAIModel})
	message := strings.Repeat("😀", 32<<10) // 128 KB
	got := parallel(messages, messages, func(i int) string {
		return outcomeOf(askWith(b.Context(), b.http, b.r.Chat, f.Key.Reveal(), map[string]any{
			"session_id": fmt.Sprint("s", i), "message": message,
		}))
	})
	answered := time.Now()
	b.Logf("%v", got)
	if got["200"] == 0 || got["200"]+got["unavailable"] != messages {
		b.Errorf("%v, want replies, and refusals of what did not fit", got)
	}
	b.expectCharged(f, got["200"])
	if took := time.Since(answered); took > settled {
		b.Errorf("credits were held %s after the last answer, want at most %s", took, settled)
	}
}
