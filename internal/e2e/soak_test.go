package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// sample holds figures of a replica at one time, by name.
type sample map[string]float64

// The figures of a sample: resident memory, twice the live heap as of the last garbage collection,
// which does not depend on how much memory the runtime keeps, and goroutines.
var soakFigures = []string{
	"process_resident_memory_bytes", "go_memstats_next_gc_bytes", "go_goroutines",
}

// mean returns the mean of a figure over some samples.
func mean(samples []sample, figure string) (mean float64) {
	for _, s := range samples {
		mean += s[figure] / float64(len(samples))
	}
	return mean
}

// grows reports whether a figure grows by about a tenth over the second half of the samples, and in
// both halves of that half. A leak grows all the time, while a heap that once takes more memory is
// a single step.
func grows(samples []sample, figure string) bool {
	eighth := func(i int) float64 {
		n := len(samples)
		return mean(samples[i*n/8:(i+1)*n/8], figure)
	}
	return eighth(7) > 1.075*eighth(4) && eighth(5) > 1.01*eighth(4) && eighth(7) > 1.01*eighth(6)
}

// soak is a mixed load of requests that succeed and requests that fail.
type soak struct {
	*cluster
	http                 *http.Client
	sandbox, model, poor storetest.Fixture
}

// step sends one random request and checks its outcome.
func (s *soak) step(t *testing.T, worker, i int, random *rand.Rand) {
	t.Helper()
	session := fmt.Sprint("worker ", worker, " ", i%50)
	want, fixture, message, header := "200", s.sandbox, "hello", []string(nil)
	switch random.IntN(12) {
	case 0:
		fixture, want = s.poor, "insufficient_credits"
	case 1:
		message, want = "[[sandbox fail=error]]", "model_error"
	case 2:
		message, want = "[[sandbox fail=panic]]", "internal"
	case 3:
		message = "[[sandbox words=2000]]"
	case 4:
		s.stream(t, "end")
		return
	case 5:
		s.stream(t, "delta") // and disconnects
		return
	case 6:
		header = []string{"Idempotency-Key", uuid.NewString()}
	case 7:
		session = "" // a new conversation
	case 8, 9:
		fixture = s.model
	}
	for range 1 + len(header)/2 { // a message with a key is sent twice
		key := fixture.Key.Reveal()
		got, err := ask(t.Context(), s.http, s.chat(i), key, session, message, header...)
		if outcome := outcomeOf(got, err); outcome != want {
			t.Errorf("worker %d, step %d: %s, want %s", worker, i, outcome, want)
		}
	}
}

// stream reads a stream up to an event.
func (s *soak) stream(t *testing.T, event string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp, lines, err := openStream(ctx, s.http, s.chat(0), s.sandbox.Key.Reveal(),
		"[[sandbox words=200 pace=1ms]]")
	if err == nil {
		defer func() { _ = resp.Body.Close() }()
		err = until(lines, event, 1)
	}
	if err != nil {
		t.Errorf("a stream without %s: %v", event, err)
	}
}

// TestSoak: over ten minutes of mixed load, memory and goroutines stay flat.
func TestSoak(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const length = 10 * time.Minute
	server := llmtest.NewOpenAI(t, openAIKey)
	c := newCluster(t, 2, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+server.URL+"/v1")
	s := &soak{cluster: c, http: client(t)}
	s.sandbox = storetest.Seed(t, c.store, storetest.Options{Credits: 1 << 40})
	s.model = storetest.Seed(t, c.store, storetest.Options{Credits: 1 << 40, Model: openAIModel})
	s.poor = storetest.Seed(t, c.store, storetest.Options{Credits: -1})
	auditing(t, c.store)
	over := make(chan struct{})
	var load sync.WaitGroup
	for worker := range 4 {
		random := newRandom()
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				case <-time.After(5 * time.Millisecond): // a load that a small machine can handle
				}
				s.step(t, worker, i, random)
			}
		})
	}
	stop := sync.OnceFunc(func() { close(over); load.Wait() })
	defer stop()
	samples := make([][]sample, len(c.replicas))
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for time.Since(began) < length {
		<-tick.C
		server.Forget()
		for i, r := range c.replicas {
			r.log.forget()
			figures, err := r.metric(soakFigures...)
			if err != nil {
				t.Fatal(err)
			}
			samples[i] = append(samples[i], figures)
		}
	}
	stop()
	expectNoHold(t, c.store, s.sandbox)
	expectNoHold(t, c.store, s.model)
	storetest.Audit(t, c.store)
	for i, all := range samples {
		for _, figure := range soakFigures {
			t.Logf("replica %d: %s: %.0f at the end, %.0f on average", i, figure,
				all[len(all)-1][figure], mean(all, figure))
			if grows(all, figure) {
				t.Errorf("replica %d: %s grows", i, figure)
			}
		}
	}
}
