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

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
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

// TestLeakDetection: grows finds a leak, and does not mistake noise or a single step for one.
func TestLeakDetection(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		at   func(minute float64) float64
		want bool
	}{
		"flat":                        {func(float64) float64 { return 100 }, false},
		"a leak of a fifth an hour":   {func(m float64) float64 { return 100 + m/3 }, false},
		"a leak of a half an hour":    {func(m float64) float64 { return 100 + m*5/6 }, true},
		"a leak that begins later":    {func(m float64) float64 { return 100 + max(0, m-30) }, true},
		"one step":                    {func(m float64) float64 { return 100 + 40*min(1, max(0, m-40)) }, false},
		"one step between the halves": {func(m float64) float64 { return 100 + 40*min(1, max(0, m-45)) }, false},
		"shrinks":                     {func(m float64) float64 { return 200 - m }, false},
	} {
		var samples []sample
		for second := range 3600 {
			minute := float64(second) / 60
			samples = append(samples, sample{minutes: minute, memory: c.at(minute) + 20*random.Float64()})
		}
		if got := grows(samples, func(s sample) float64 { return s.memory }); got != c.want {
			t.Errorf("%s: grows %t, want %t", name, got, c.want)
		}
	}
}

// soak is a mixed load of successful and failing requests.
type soak struct {
	*pair
	http                 *http.Client
	server               *llmtest.Server
	sandbox, model, poor storetest.Fixture
	done, failed         atomic.Int64
}

// step runs one random action. An unexpected outcome is a violation.
func (s *soak) step(t *faultRow, worker, i int, random *rand.Rand) {
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
			s.failed.Add(1)
			t.Errorf("worker %d, step %d: %s %v, want %s", worker, i, got.outcome(), err, want)
		}
	}
}

// stream reads a stream to its end, or disconnects in the middle.
func (s *soak) stream(t *faultRow, leave bool) {
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

// TestSoak runs a mixed load and samples memory and goroutines each second. The record contains their slopes over the second half. In a
// run of five minutes or more, growing memory or goroutines are violations. AGENTCHAT_TEST_ROUNDS is the length in seconds.
func TestSoak(tt *testing.T) {
	faults.Heavy(tt)
	tt.Parallel()
	t := newRow(tt, "F11")
	length := time.Duration(faults.Times(20, 3600)) * time.Second
	s := newSoak(t)
	t.audit(s.store)
	over, seed := make(chan struct{}), t.random()
	var load sync.WaitGroup
	for worker := range 4 {
		random := rand.New(rand.NewPCG(seed.Uint64(), 0))
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
	samples := s.watch(t, length)
	stop()
	eventually(t, "nothing is in progress", func() bool { return held(t, s.store, s.sandbox) == 0 && held(t, s.store, s.model) == 0 })
	storetest.Audit(t, s.store)
	t.ran(int(s.done.Load()))
	results := []string{judge(t, 1, samples[0], length), judge(t, 2, samples[1], length)}
	t.measured("slope over the second half of %v: %s; %d steps, %d with an unexpected outcome", length, strings.Join(results, "; "),
		s.done.Load(), s.failed.Load())
}

func newSoak(t *faultRow) *soak {
	t.Helper()
	s := &soak{server: llmtest.NewOpenAI(t, openAIKey), http: client(t)}
	s.pair = newPair(t, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+s.server.URL+"/v1")
	rich := storetest.Options{Credits: 1 << 40}
	s.sandbox, s.poor = storetest.Seed(t, s.store, rich), storetest.Seed(t, s.store, storetest.Options{Credits: -1})
	rich.Model = openAIModel
	s.model = storetest.Seed(t, s.store, rich)
	return s
}

// judge describes how a replica's figures changed, and reports growth as a violation.
func judge(t *faultRow, replica int, samples []sample, length time.Duration) string {
	t.Helper()
	half, last := samples[len(samples)/2:], samples[len(samples)-1]
	figures := []struct {
		name, unit string
		of         func(sample) float64
	}{
		{"resident", " KiB", func(s sample) float64 { return s.memory / (1 << 10) }},
		{"live", " KiB", func(s sample) float64 { return s.live / (1 << 10) }},
		{"goroutines", "", func(s sample) float64 { return s.goroutines }},
	}
	result := fmt.Sprintf("replica %d:", replica)
	for i, f := range figures {
		result += fmt.Sprintf("%s %s %+.2f%s per minute to %.0f%s", map[bool]string{true: ","}[i > 0], f.name, slope(half, f.of), f.unit,
			f.of(last), f.unit)
		if length >= 5*time.Minute && grows(samples, f.of) {
			t.Errorf("replica %d grows: %s", replica, result)
		}
	}
	return result
}

// watch samples both replicas each second, and discards what the test itself would accumulate over an hour.
func (s *soak) watch(t *faultRow, length time.Duration) (samples [2][]sample) {
	t.Helper()
	// The garbage collector's next goal is twice the live heap.
	const memory, goal, goroutines = "process_resident_memory_bytes", "go_memstats_next_gc_bytes", "go_goroutines"
	began, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for time.Since(began) < length || len(samples[1]) < 8 {
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
