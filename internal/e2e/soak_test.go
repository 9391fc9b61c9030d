package e2e_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// sample holds a replica's metrics at one time: resident memory and live heap in bytes, and goroutines. The live heap, as of the last
// garbage collection, does not depend on how much memory the runtime keeps.
type sample struct{ minutes, memory, live, goroutines float64 }

// metric reads unlabeled metrics from a replica's ops port.
func (r *replica) metric(names ...string) (values map[string]float64, err error) {
	resp, err := http.Get(r.Ops + "/metrics")
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	values = map[string]float64{}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		for _, wanted := range names {
			if name == wanted {
				if values[name], err = strconv.ParseFloat(text, 64); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(values) != len(names) {
		return nil, fmt.Errorf("want the metrics %v, got %v", names, values)
	}
	return values, lines.Err()
}

// slope returns the change per minute, by a least-squares fit.
func slope(samples []sample, of func(sample) float64) float64 {
	var n, x, y, xx, xy float64
	for _, s := range samples {
		n, x, y = n+1, x+s.minutes, y+of(s)
		xx, xy = xx+s.minutes*s.minutes, xy+s.minutes*of(s)
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// grows reports whether a figure grows by more than a tenth over the second half of the samples, and also in both halves of that half.
// A leak grows all the time, while a heap that once took more memory from the system is a single step.
func grows(samples []sample, of func(sample) float64) bool {
	more := func(part []sample, share float64) bool {
		sum := 0.0
		for _, s := range part {
			sum += of(s)
		}
		return slope(part, of)*(part[len(part)-1].minutes-part[0].minutes) > share*sum/float64(len(part))
	}
	n := len(samples)
	return more(samples[n/2:], 0.1) && more(samples[n/2:n*3/4], 0.025) && more(samples[n*3/4:], 0.025)
}

// soak is a mixed load of successful and failing requests.
type soak struct {
	*pair
	http                 *http.Client
	server               *llmtest.Server
	sandbox, model, poor storetest.Fixture
	done                 atomic.Int64
}

// step runs one random action. An unexpected outcome is a violation.
func (s *soak) step(t *testing.T, worker, i int, random *rand.Rand) {
	t.Helper()
	session := fmt.Sprint("worker ", worker, " ", i%50)
	want, fixture, message, header := "200", s.sandbox, "hello", []string(nil)
	switch kind := random.IntN(12); kind {
	case 0:
		fixture, want = s.poor, "insufficient_credits"
	case 1:
		message, want = "[[sandbox fail=error]]", "model_error"
	case 2:
		message, want = "[[sandbox fail=panic]]", "internal"
	case 3:
		message = "[[sandbox words=2000]]"
	case 4, 5:
		s.stream(t, kind == 4)
		return
	case 6:
		header = []string{"Idempotency-Key", uuid.NewString()}
	case 7:
		session = "" // a new conversation
	case 8, 9:
		fixture = s.model
	}
	for range 1 + len(header)/2 { // a message with a key is sent twice
		got, err := ask(t.Context(), s.http, s.chat(i), fixture.Key.Reveal(), session, message, header...)
		if err != nil || got.outcome() != want {
			t.Errorf("worker %d, step %d: %s %v, want %s", worker, i, got.outcome(), err, want)
		}
	}
}

// stream reads a stream to its end, or disconnects in the middle.
func (s *soak) stream(t *testing.T, leave bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp, lines, err := openStream(ctx, s.http, s.chat(0), s.sandbox.Key.Reveal(), "[[sandbox words=200 pace=1ms]]")
	if err != nil {
		t.Errorf("a stream: %v", err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	event := "end"
	if leave {
		event = "delta"
	}
	if err := until(lines, event, 1); err != nil {
		t.Errorf("a stream without %s: %v", event, err)
	}
}

// TestSoak: over ten minutes of mixed load, memory and goroutines stay flat.
func TestSoak(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	s := newSoak(t)
	auditing(t, s.store)
	over := make(chan struct{})
	var load sync.WaitGroup
	for worker := range 4 {
		random := newRandom()
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				case <-time.After(5 * time.Millisecond): // a load that a small machine can handle beside other tests
				}
				s.step(t, worker, i, random)
				s.done.Add(1)
			}
		})
	}
	stop := sync.OnceFunc(func() { close(over); load.Wait() })
	defer stop()
	samples := s.watch(t, 10*time.Minute)
	stop()
	eventually(t, "nothing is in progress", func() bool { return held(t, s.store, s.sandbox) == 0 && held(t, s.store, s.model) == 0 })
	storetest.Audit(t, s.store)
	for i := range samples {
		judge(t, i+1, samples[i])
	}
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{server: llmtest.NewOpenAI(t, openAIKey), http: client(t)}
	s.pair = newPair(t, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+s.server.URL+"/v1")
	rich := storetest.Options{Credits: 1 << 40}
	s.sandbox, s.poor = storetest.Seed(t, s.store, rich), storetest.Seed(t, s.store, storetest.Options{Credits: -1})
	rich.Model = openAIModel
	s.model = storetest.Seed(t, s.store, rich)
	return s
}

// judge reports how a replica's figures changed, and growth as an error.
func judge(t *testing.T, replica int, samples []sample) {
	t.Helper()
	half, last := samples[len(samples)/2:], samples[len(samples)-1]
	for name, of := range map[string]func(sample) float64{
		"resident KiB": func(s sample) float64 { return s.memory / (1 << 10) },
		"live KiB":     func(s sample) float64 { return s.live / (1 << 10) },
		"goroutines":   func(s sample) float64 { return s.goroutines },
	} {
		t.Logf("replica %d: %s: %+.2f per minute to %.0f", replica, name, slope(half, of), of(last))
		if grows(samples, of) {
			t.Errorf("replica %d: %s grow", replica, name)
		}
	}
}

// watch samples both replicas each second, and discards what the test itself would accumulate.
func (s *soak) watch(t *testing.T, length time.Duration) (samples [2][]sample) {
	t.Helper()
	// The garbage collector's next goal is twice the live heap.
	const memory, goal, goroutines = "process_resident_memory_bytes", "go_memstats_next_gc_bytes", "go_goroutines"
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for time.Since(began) < length {
		<-tick.C
		s.server.Forget()
		for i, r := range s.replicas {
			r.log.forget()
			values, err := r.metric(memory, goal, goroutines)
			if err != nil {
				t.Fatal(err)
			}
			now := sample{time.Since(began).Minutes(), values[memory], values[goal] / 2, values[goroutines]}
			if len(samples[i])%60 == 0 {
				t.Logf("replica %d: %+v, %d steps", i+1, now, s.done.Load())
			}
			samples[i] = append(samples[i], now)
		}
	}
	return samples
}
