package e2e_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// memoryBench is a replica whose memory is bounded, with servers of models that the test controls.
type memoryBench struct {
	*testing.T
	r      *replica
	url    string
	store  *store.DB
	http   *http.Client
	models *waitingModels
}

// TestMemoryIsBounded: floods of large, slow or many requests take a bounded amount of memory, in a
// control group with that much, for which the test needs root. What does not fit is refused, and
// the ledger stays exact.
func TestMemoryIsBounded(t *testing.T) {
	testlong.Only(t)
	const limit = 512 << 20
	for name, flood := range map[string]func(*memoryBench){
		"everything":         (*memoryBench).everything,
		"largest messages":   (*memoryBench).largestMessages,
		"largest turns":      (*memoryBench).largestTurns,
		"a thousand streams": (*memoryBench).thousandStreams,
	} {
		t.Run(name, func(t *testing.T) {
			program := memoryGroup(t, limit)
			b := &memoryBench{T: t, url: storetest.URL(t), http: client(t), models: newWaitingModels(t)}
			b.store = storetest.Open(t, b.url)
			b.r = startProgram(t, program, b.url, behindProxy, "OPENAI_API_KEY=k", "GEMINI_API_KEY=k",
				"OPENAI_BASE_URL="+b.models.URL+"/v1", "GEMINI_BASE_URL="+b.models.URL, "SIGN_UP=open")
			flood(b)
			if status := b.r.ready(); status != http.StatusOK {
				t.Errorf("/readyz responds with %d", status)
			}
			eventually(t, "no memory is reserved", func() bool {
				values, err := b.r.metric("agentchat_request_memory_bytes")
				return err == nil && values["agentchat_request_memory_bytes"] == 0
			})
			eventually(t, "no credits are held", func() bool {
				return storetest.CountRows(t, b.store, `SELECT sum(credits_held) FROM accounts`) == 0
			})
			storetest.Audit(t, b.store)
			peak := peakMemory(t, b.r.command.Process)
			t.Logf("%d MiB of memory at most", peak>>20)
			if peak > limit {
				t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, limit>>20)
			}
		})
	}
}

// memoryGroup returns a program that runs the service in a control group with that much memory. It
// skips the test where this process may not create one.
func memoryGroup(t *testing.T, bytes int) (program string) {
	t.Helper()
	limit := "memory.limit_in_bytes" // version 1
	group := "/sys/fs/cgroup/memory/agentchat-" + uuid.NewString()
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		limit, group = "memory.max", "/sys/fs/cgroup/"+filepath.Base(group)
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("no control group can be created here: %v", err)
	}
	t.Cleanup(func() { _ = os.Remove(group) })
	bound := fmt.Append(nil, bytes)
	if err := os.WriteFile(filepath.Join(group, limit), bound, 0o600); err != nil {
		t.Skipf("no control group's memory can be limited here: %v", err)
	}
	program = filepath.Join(t.TempDir(), "agentchat")
	text := fmt.Sprintf("#!/bin/sh\necho $$ >%s/cgroup.procs && exec %s \"$@\"\n", group, binary)
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

// waitingModels serves models in both wire formats. It answers at once, except that messages with
// waitForOthers wait for release.
type waitingModels struct {
	*httptest.Server
	waiting atomic.Int64
	release func()
}

// What a message asks of waitingModels: a long reply that fills the history, or to wait.
const fillHistory, waitForOthers = "Fill the history. ", "Wait for the others. "

func newWaitingModels(t *testing.T) *waitingModels {
	t.Helper()
	released := make(chan struct{})
	m := &waitingModels{release: sync.OnceFunc(func() { close(released) })}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.ContentLength != int64(len(body)) {
			t.Errorf("a request of %d bytes announced %d: %v", len(body), r.ContentLength, err)
		}
		reply := "Aye."
		switch text := string(body); {
		case strings.Contains(text, waitForOthers):
			m.waiting.Add(1)
			<-released
		case strings.Contains(text, fillHistory):
			reply = strings.Repeat("r", 90_000)
		}
		if strings.Contains(r.URL.Path, ":streamGenerateContent") {
			_, _ = fmt.Fprintf(w, "[%s]", llmtest.GeminiChunk(reply, "1", ""))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", llmtest.OpenAIChunk(reply, "stop"))
	}))
	t.Cleanup(m.Close)
	t.Cleanup(m.release)
	return m
}

// seed creates an account with many credits and no noticeable rate limit.
func (b *memoryBench) seed(o storetest.Options) storetest.Fixture {
	b.Helper()
	o.Credits, o.RatePerMinute = 1<<40, 1_000_000
	return storetest.Seed(b, b.store, o)
}

// expectCharged expects a number of charges, and that nothing is held.
func (b *memoryBench) expectCharged(f storetest.Fixture, replies int) {
	b.Helper()
	expectNoHold(b, b.store, f)
	charged, answered := chargesOf(b, b.store, f)
	if charged != int64(replies) || answered != charged {
		b.Errorf("%d charges and %d answered turns for %d replies", charged, answered, replies)
	}
}

// everything sends queries for long texts, announced bodies and streams, for half a minute.
func (b *memoryBench) everything() {
	const streams, queries, bodies, length = 100, 40, 500, 30 * time.Second
	n := &tenants{cluster: &cluster{b.url, b.store, []*replica{b.r}}, t: b.T, http: b.http, noisyOn: 1}
	owner, export := newOwnedExport(b.T, b.r, 1)
	n.token = owner.Token
	execute(b, b.url, fmt.Sprintf(`
		WITH g AS (SELECT id, account_id FROM agents WHERE id = '%s'), c AS (
			INSERT INTO conversations
				(id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
			SELECT gen_random_uuid(), g.account_id, g.id, 'API', 'long ' || n, 24, now()
			FROM g, generate_series(1, 100) n RETURNING *)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message,
			model, price, request_id, deadline, settled_at, error_code)
		SELECT gen_random_uuid(), c.account_id, c.agent_id, c.id, 'API', n, 'FAILED',
			repeat('m', 131072), 'sandbox/free', 0, 'r', now(), now(), 'model_error'
		FROM c, generate_series(1, 24) n`, export.agent))
	const texts = `{ viewer { conversations(first: %d) {
		nodes { turns(first: 24) { nodes { id %s } } } } } }`
	asked := []string{
		fmt.Sprintf(texts, 100, ""),
		fmt.Sprintf(texts, 100, "message"), // over 300 MB, which no response holds
		fmt.Sprintf(texts, 1, "message"),
	}
	quiet := b.seed(storetest.Options{})
	stop := auditing(b, b.store)
	ctx, cancel := context.WithTimeout(b.Context(), length)
	defer cancel()
	var mu sync.Mutex
	outcomes := map[string]int{}
	count := func(outcome string, n int) {
		mu.Lock()
		defer mu.Unlock()
		outcomes[outcome] += n
	}
	var all sync.WaitGroup
	for i := range queries + streams {
		all.Go(func() {
			for ctx.Err() == nil {
				if i < queries {
					count(n.query(b.Context(), 0, n.token, asked[i%3]), 1)
				} else {
					count(b.stream(quiet, "[[sandbox words=200 pace=10ms]]"), 1)
				}
			}
		})
	}
	header := announced("/v1/agent/chat", quiet.Key.Reveal(), 256<<10)
	body := strings.Repeat(" ", 200<<10)
	for ctx.Err() == nil {
		for status, n := range b.sendOpen(header, body, bodies) {
			count("body "+status, n)
		}
	}
	all.Wait()
	stop()
	allowed := []string{
		"ok", "end", "RATE_LIMITED", "LIMIT_EXCEEDED", "UNAVAILABLE", "429", "503",
		"body 408", "body 429", "body 503", "body closed",
	}
	unexpected := maps.Clone(outcomes)
	maps.DeleteFunc(unexpected, func(o string, _ int) bool { return slices.Contains(allowed, o) })
	if len(unexpected) > 0 || outcomes["end"] == 0 || outcomes["ok"] == 0 {
		b.Errorf("the outcomes are %v", outcomes)
	}
	b.expectCharged(quiet, outcomes["end"])
}

// stream reads a stream to its end, and returns "end" or the reason why it has no end.
func (b *memoryBench) stream(f storetest.Fixture, message string) string {
	resp, lines, err := openStream(b.Context(), b.http, b.r.Chat, f.Key.Reveal(), message)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Sprint(resp.StatusCode)
	}
	if err := until(lines, "end", 1); err != nil {
		return err.Error()
	}
	return "end"
}

// thousandStreams opens a thousand ordinary streams of one account, which are no flood. The replica
// has seven database connections, so none can be in use while a model generates.
func (b *memoryBench) thousandStreams() {
	const streams = 1000
	instructions := strings.Repeat("Be kind. ", 500)
	f := b.seed(storetest.Options{Model: openAIModel, Instructions: instructions})
	outcomes := make(chan map[string]int, 1)
	go func() {
		outcomes <- parallel(streams, streams, func(int) string {
			return b.stream(f, waitForOthers+strings.Repeat("m", 500))
		})
	}()
	eventually(b, "all wait for the model", func() bool { return b.models.waiting.Load() == streams })
	eventually(b, "no database connection is in use", func() bool {
		var busy int
		readRow(b, b.store, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'agentchat' AND state <> 'idle'
				AND pid <> pg_backend_pid()`,
			nil, &busy)
		return busy == 0
	})
	b.models.release()
	if got := <-outcomes; got["end"] != streams {
		b.Errorf("%v", got)
	}
	b.expectCharged(f, streams)
}

// announced returns the header of a request with a body of that length.
func announced(path, token string, bytes int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n", path, token, bytes)
}

// sendOpen sends a header and the beginning of a body on many connections at once, and counts the
// statuses of the responses.
func (b *memoryBench) sendOpen(header, sent string, connections int) map[string]int {
	b.Helper()
	host := hostOf(b, b.r.Chat)
	return parallel(connections, connections, func(int) string {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(conn, header+"\r\n"+sent) // it may have been closed
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return "closed"
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" {
			return "503 without Retry-After"
		}
		return fmt.Sprint(resp.StatusCode)
	})
}

// hostOf returns the host and port of a URL.
func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}
