package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// BenchmarkFirstWord measures how long a model's first word takes from the model's server to the caller.
func BenchmarkFirstWord(b *testing.B) {
	m := newGeminiReplica(b)
	f := storetest.Seed(b, m.store, storetest.Options{Model: geminiModel, Credits: 1 << 40, RatePerMinute: 1_000_000})
	var mu sync.Mutex
	var sent time.Time
	m.server.Always(llmtest.TextObserved(func(piece int) {
		if mu.Lock(); piece == 0 {
			sent = time.Now()
		}
		mu.Unlock()
	}, "first", " second"))
	var total time.Duration
	messages := 0
	for b.Loop() {
		resp, lines, err := openStream(b.Context(), m.http, m.r.Chat, f.Key.Reveal(), "hello")
		if err != nil {
			b.Fatal(err)
		}
		err = until(lines, "delta", 1)
		arrived := time.Now()
		_ = until(lines, "end", 1)
		_ = resp.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		mu.Lock()
		total += arrived.Sub(sent)
		mu.Unlock()
		messages++
	}
	b.ReportMetric(float64(total.Microseconds())/float64(messages), "us/first-word")
}

// BenchmarkIdleStreams measures the resident memory of a replica per open stream that waits for its model. Each row uses a new replica.
func BenchmarkIdleStreams(b *testing.B) {
	for _, c := range []struct {
		name  string
		start func(b *testing.B) idleReplica
		// wait is what the model's server does; nil for the sandbox, which has no server.
		wait llmtest.Reply
		// event is the last event before the silence.
		event string
	}{
		{"sandbox", idleSandbox, nil, "start"},
		{"OpenAI/before the answer", idleOpenAI, llmtest.Hang(), "start"},
		{"OpenAI/after a first word", idleOpenAI, llmtest.HangAfter("first"), "delta"},
		{"Gemini/before the answer", idleGemini, llmtest.Hang(), "start"},
		{"Gemini/after a first word", idleGemini, llmtest.HangAfter("first"), "delta"},
	} {
		b.Run(c.name, func(b *testing.B) {
			total, n := 0, 0
			for b.Loop() {
				total += c.start(b).bytesPerStream(b, c.wait, c.event)
				n++
			}
			b.ReportMetric(float64(total)/float64(n), "B/stream")
		})
	}
}

// idleReplica is a replica whose model waits.
type idleReplica struct {
	r      *replica
	store  *store.DB
	model  string
	server *llmtest.Server // nil for the sandbox
	http   *http.Client
}

func idleSandbox(b *testing.B) idleReplica {
	b.Helper()
	url := storetest.URL(b)
	return idleReplica{r: start(b, url), store: storetest.Open(b, url), http: client(b)}
}

func idleOpenAI(b *testing.B) idleReplica {
	b.Helper()
	m := newOpenAIReplica(b)
	return idleReplica{r: m.r, store: m.store, model: openAIModel, server: m.server, http: m.http}
}

func idleGemini(b *testing.B) idleReplica {
	b.Helper()
	m := newGeminiReplica(b)
	return idleReplica{r: m.r, store: m.store, model: geminiModel, server: m.server, http: m.http}
}

// bytesPerStream opens 1,000 streams that have received an event and wait for more, and returns the growth of the process's resident
// memory per stream. The process has answered messages before.
func (i idleReplica) bytesPerStream(b *testing.B, wait llmtest.Reply, event string) int {
	b.Helper()
	// Only a few streams connect to the model's server at a time. The burst's own memory, which the process returns later, would hide
	// the memory of waiting.
	const streams, connecting = 1000, 64
	f := storetest.Seed(b, i.store, storetest.Options{Model: i.model, Credits: 4 * streams, RatePerMinute: 1_000_000})
	warm := parallel(16, 200, func(int) string {
		got, err := ask(b.Context(), i.http, i.r.Chat, f.Key.Reveal(), "", "hello")
		return fmt.Sprint(got.Status, err)
	})
	if warm["200 <nil>"] != 200 {
		b.Fatal(warm)
	}
	slots := make(chan struct{}, streams)
	if wait != nil {
		slots = make(chan struct{}, connecting)
		i.server.Always(func(e *llmtest.Call) {
			<-slots
			wait(e)
		})
	}
	before := resident(b, i.r)
	ctx, disconnect := context.WithCancel(b.Context())
	defer disconnect()
	var open sync.WaitGroup
	for range streams {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		open.Go(func() {
			resp, lines, err := openStream(ctx, i.http, i.r.Chat, f.Key.Reveal(), "[[sandbox delay=50s]]")
			if err != nil {
				b.Error(err)
				disconnect()
				return
			}
			b.Cleanup(func() { _ = resp.Body.Close() })
			if err := until(lines, event, 1); err != nil {
				b.Error(err)
				disconnect()
			}
		})
	}
	open.Wait()
	each := (resident(b, i.r) - before) / streams
	if i.server != nil && i.server.UnderWay() != streams {
		b.Errorf("%d requests to the model are in progress, want %d", i.server.UnderWay(), streams)
	}
	i.r.kill() // instead of waiting for the model
	return each
}

// resident returns the process's resident memory in bytes.
func resident(b *testing.B, r *replica) int {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", r.command.Process.Pid))
	if err != nil {
		b.Skip("this system has no /proc")
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		b.Fatal(err)
	}
	return pages * os.Getpagesize()
}
