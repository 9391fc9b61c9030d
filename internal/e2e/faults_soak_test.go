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
)

// sample is what a replica says of itself at a moment.
type sample struct{ minutes, memory, goroutines float64 }

// metric reads metrics without labels from a replica's operators' port.
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
		return nil, fmt.Errorf("of %v there are %v", names, values)
	}
	return values, lines.Err()
}

// slope is the straight line's through the second half of the samples, by least squares: the change a minute.
func slope(samples []sample, of func(sample) float64) float64 {
	half := samples[len(samples)/2:]
	var n, x, y, xx, xy float64
	for _, s := range half {
		n, x, y = n+1, x+s.minutes, y+of(s)
		xx, xy = xx+s.minutes*s.minutes, xy+s.minutes*of(s)
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// soak is a mix of everything that clients do, well and badly.
type soak struct {
	*pair
	http                 *http.Client
	sandbox, model, poor storetest.Fixture
	done, failed         atomic.Int64
}

// step does one thing; every outcome but those that belong to it is a violation.
func (s *soak) step(t *promise, worker, i int, random *rand.Rand) {
	session := fmt.Sprint("worker ", worker, " ", i%50)
	want, seat, message, header := "200", s.sandbox, "hello", []string(nil)
	switch kind := random.IntN(12); kind {
	case 0:
		seat, want = s.poor, "insufficient_credits"
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
		session = "" // a conversation of its own
	case 8, 9:
		seat = s.model
	}
	for range 1 + len(header)/2 { // a message with a key is sent twice
		got, err := ask(t.Context(), s.http, s.chat(i), seat.Key.Reveal(), session, message, header...)
		if err != nil || got.outcome() != want {
			s.failed.Add(1)
			t.Errorf("worker %d, step %d: %s %v, want %s", worker, i, got.outcome(), err, want)
		}
	}
}

// stream reads a stream to its end, or leaves in its middle.
func (s *soak) stream(t *promise, leave bool) {
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
		s.failed.Add(1)
		t.Errorf("a stream without %s: %v", event, err)
	}
}

// TestSoak: mixed load for a while, with a look at memory and goroutines each second. The record tells their slopes over the second
// half; at full length, memory that grows by more than a tenth of itself in that time, or goroutines that do, are violations.
func TestSoak(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F11")
	length := time.Duration(t.times(20, 3600)) * time.Second
	full := length >= time.Hour
	server, workers := llmtest.NewOpenAI(t, openAIKey), 4
	s := &soak{pair: newPair(t, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+server.URL+"/v1"), http: client(t)}
	rich := storetest.Options{Credits: 1 << 40}
	s.sandbox, s.poor = storetest.Seed(t, s.store, rich), storetest.Seed(t, s.store, storetest.Options{Credits: -1})
	rich.Model = openAIModel
	s.model = storetest.Seed(t, s.store, rich)
	over, seed := make(chan struct{}), t.random()
	var load sync.WaitGroup
	for worker := range workers {
		random := rand.New(rand.NewPCG(seed.Uint64(), 0))
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				case <-time.After(5 * time.Millisecond): // a load that a small machine bears beside other tests
				}
				s.step(t, worker, i, random)
				s.done.Add(1)
			}
		})
	}
	samples := s.watch(t, length)
	close(over)
	load.Wait()
	eventually(t, "nothing is under way", func() bool { return held(t, s.store, s.sandbox) == 0 && held(t, s.store, s.model) == 0 })
	storetest.Audit(t, s.store)
	t.ran(int(s.done.Load()))
	var told []string
	for i, all := range samples {
		memory := slope(all, func(s sample) float64 { return s.memory }) / (1 << 10)
		goroutines := slope(all, func(s sample) float64 { return s.goroutines })
		last := all[len(all)-1]
		told = append(told, fmt.Sprintf("replica %d: %+.0f KiB and %+.2f goroutines a minute, %.0f KiB and %.0f at the end",
			i+1, memory, goroutines, last.memory/(1<<10), last.goroutines))
		minutes := length.Minutes() / 2
		if full && (memory*minutes > last.memory/(1<<10)/10 || goroutines*minutes > last.goroutines/10) {
			t.Errorf("replica %d grows: %s", i+1, told[i])
		}
	}
	t.measured("slope over the second half of %v: %s; %d steps, %d not as they should be", length, strings.Join(told, "; "),
		s.done.Load(), s.failed.Load())
}

// watch looks at both replicas each second.
func (s *soak) watch(t *promise, length time.Duration) (samples [2][]sample) {
	t.Helper()
	const memory, goroutines = "process_resident_memory_bytes", "go_goroutines"
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for time.Since(began) < length || len(samples[1]) < 6 {
		<-tick.C
		for i, r := range s.replicas {
			values, err := r.metric(memory, goroutines)
			if err != nil {
				t.Fatal(err)
			}
			samples[i] = append(samples[i], sample{time.Since(began).Minutes(), values[memory], values[goroutines]})
		}
	}
	return samples
}
