package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// openStream sends a message and returns the lines of its stream; whoever cancels the context leaves.
func openStream(ctx context.Context, c *http.Client, chat, key, message string, header ...string) (*http.Response, *bufio.Reader, error) {
	body, err := json.Marshal(map[string]any{"message": message, "session_id": uuid.NewString(), "stream": true})
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, chat, strings.NewReader(string(body)))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, nil, err
	}
	return resp, bufio.NewReader(resp.Body), nil
}

// until reads lines until n of them name an event, or the stream ends.
func until(lines *bufio.Reader, event string, n int) error {
	for n > 0 {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "event: "+event+"\n" {
			n--
		}
	}
	return nil
}

// TestClientsLeaveStreams: clients that leave at the first chunk, in the middle, and at the end leave no reply without its
// charge, no charge without its reply, and nothing under way behind them.
func TestClientsLeaveStreams(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F3")
	h := newGeminiReplica(tt)
	t.audit(h.store)
	n := faults.Times(1000, 1000)
	if _, err := h.store.DB().ExecContext(t.Context(), `UPDATE api_exports SET rate_per_minute = 1000000`); err != nil {
		t.Fatal(err)
	}
	fixture := storetest.Seed(t, h.store, storetest.Options{Model: geminiModel, Credits: int64(2 * n), RatePerMinute: 1_000_000})
	pieces := make([]string, 8)
	for i := range pieces {
		pieces[i] = fmt.Sprintf("piece %d ", i)
	}
	h.server.Always(llmtest.Text(pieces...))
	at := []int{0, 1, len(pieces) / 2, len(pieces)}
	got := parallel(8, n, func(i int) string {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		resp, lines, err := openStream(ctx, h.http, h.r.Chat, fixture.Key.Reveal(), "tell me, "+privateText)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = resp.Body.Close() }()
		if err := until(lines, "delta", at[i%len(at)]); err != nil {
			return err.Error()
		}
		return strconv.Itoa(at[i%len(at)])
	})
	for _, chunk := range at {
		if got[strconv.Itoa(chunk)] < n/len(at) {
			t.Errorf("left after the chunks: %v", got)
			break
		}
	}
	var answered, charges, pending int
	eventually(t, "the turns are over", func() bool {
		err := h.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE state = 'ANSWERED' AND reply IS NOT NULL),
			count(*) FILTER (WHERE state = 'PENDING'), (SELECT count(*) FROM credit_entries WHERE account_id = $1 AND kind = 'CHARGE')
			FROM turns WHERE account_id = $1`, fixture.Account.ID).Scan(&answered, &pending, &charges)
		return err == nil && pending == 0 && answered == n
	})
	if answered != charges {
		t.Errorf("%d stored replies, %d charges", answered, charges)
	}
	eventually(t, "no request to the model is under way", func() bool { return h.server.UnderWay() == 0 })
	storetest.Audit(t, h.store)
	t.ran(n)
	t.measured("clients left after 0, 1, half and all chunks: %d stored replies, %d charges, 0 model requests left", answered, charges)
}

// TestFirstWord reports how long a model's first word takes to its caller. It is a figure and no assertion.
func TestFirstWord(t *testing.T) {
	t.Parallel()
	h := newGeminiReplica(t)
	var mu sync.Mutex
	var sent time.Time
	reply := llmtest.TextTold(func(piece int) {
		if mu.Lock(); piece == 0 {
			sent = time.Now()
		}
		mu.Unlock()
	}, "first", " second")
	h.server.Always(reply)
	var took []time.Duration
	for range rounds(50) {
		resp, lines, err := openStream(t.Context(), h.http, h.r.Chat, h.fixture.Key.Reveal(), "hello, "+privateText)
		if err != nil {
			t.Fatal(err)
		}
		err = until(lines, "delta", 1)
		arrived := time.Now()
		_ = until(lines, "end", 1)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		took = append(took, arrived.Sub(sent))
		mu.Unlock()
	}
	slices.Sort(took)
	t.Logf("first word to the caller after the model sent it: median %v of %d, slowest %v", took[len(took)/2], len(took), took[len(took)-1])
}

// TestIdleStreams: what a stream costs the process in memory while nothing comes, whoever is waited for: each row in a process
// of its own, which has answered before.
func TestIdleStreams(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		house func(t *testing.T) idleReplica
		// wait is what the model's server does; nil for a model without a server.
		wait llmtest.Reply
		// event is the last that comes before the silence.
		event string
	}{
		"sandbox":                    {house: idleSandbox, event: "start"},
		"OpenAI, before the answer":  {house: idleOpenAI, wait: llmtest.Hang(), event: "start"},
		"OpenAI, after a first word": {house: idleOpenAI, wait: llmtest.HangAfter("first"), event: "delta"},
		"Gemini, before the answer":  {house: idleGemini, wait: llmtest.Hang(), event: "start"},
		"Gemini, after a first word": {house: idleGemini, wait: llmtest.HangAfter("first"), event: "delta"},
	} {
		t.Run(name, func(t *testing.T) { // one after another, for the files that each row has open
			h := c.house(t)
			h.expectSmallStreams(t, c.wait, c.event)
		})
	}
}

// idleReplica is a replica with a model that can be made to wait.
type idleReplica struct {
	r      *replica
	store  *store.Store
	model  string
	server *llmtest.Server // nil for the sandbox
	http   *http.Client
}

func idleSandbox(t *testing.T) idleReplica {
	t.Helper()
	url := storetest.URL(t)
	return idleReplica{r: start(t, url), store: storetest.Open(t, url), http: client(t)}
}

func idleOpenAI(t *testing.T) idleReplica {
	t.Helper()
	h := newOpenAIReplica(t)
	return idleReplica{r: h.r, store: h.store, model: openAIModel, server: h.server, http: h.http}
}

func idleGemini(t *testing.T) idleReplica {
	t.Helper()
	h := newGeminiReplica(t)
	return idleReplica{r: h.r, store: h.store, model: geminiModel, server: h.server, http: h.http}
}

// expectSmallStreams opens a thousand streams that have got an event and wait for more, and bounds what each takes.
func (h idleReplica) expectSmallStreams(t *testing.T, wait llmtest.Reply, event string) {
	t.Helper()
	// What a crowd that arrives at one moment takes is another question than what waiting takes, and the process gives it back
	// later than this measures: so only so many are on their way to a model's server at once.
	const streams, most, arriving = 1000, 64 << 10, 64
	f := storetest.Seed(t, h.store, storetest.Options{Model: h.model, Credits: 4 * streams, RatePerMinute: 1_000_000})
	warm := parallel(16, 200, func(int) string {
		got, err := ask(t.Context(), h.http, h.r.Chat, f.Key.Reveal(), "", "hello")
		return fmt.Sprint(got.Status, err)
	})
	if warm["200 <nil>"] != 200 {
		t.Fatal(warm)
	}
	onTheirWay := make(chan struct{}, streams)
	if wait != nil {
		onTheirWay = make(chan struct{}, arriving)
		h.server.Always(func(e *llmtest.Exchange) {
			<-onTheirWay
			wait(e)
		})
	}
	before := resident(t, h.r)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var open sync.WaitGroup
	for range streams {
		select {
		case onTheirWay <- struct{}{}:
		case <-ctx.Done():
		}
		open.Go(func() {
			resp, lines, err := openStream(ctx, h.http, h.r.Chat, f.Key.Reveal(), "[[sandbox delay=50s]]")
			if err != nil {
				t.Error(err)
				leave()
				return
			}
			t.Cleanup(func() { _ = resp.Body.Close() })
			if err := until(lines, event, 1); err != nil {
				t.Error(err)
				leave()
			}
		})
	}
	open.Wait()
	each := (resident(t, h.r) - before) / streams
	t.Logf("%d idle streams: %d bytes of resident memory each", streams, each)
	if h.server != nil && h.server.UnderWay() != streams {
		t.Errorf("%d requests to the model are under way, want %d", h.server.UnderWay(), streams)
	}
	if each > most {
		t.Errorf("an idle stream takes %d bytes, more than %d", each, most)
	}
	h.r.kill() // rather than wait for the model
}

// resident is the process's resident memory in bytes.
func resident(t *testing.T, r *replica) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", r.command.Process.Pid))
	if err != nil {
		t.Skip("this system does not tell a process's memory in /proc")
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
