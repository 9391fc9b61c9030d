package rest_test

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/httpapi"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// keyChecks counts the calls of CheckKey. Each call is a statement.
type keyChecks struct {
	rest.Chat
	n atomic.Int64
}

func (a *keyChecks) CheckKey(ctx context.Context, key apikey.Hash, from netip.Addr) (*chat.Caller, error) {
	a.n.Add(1)
	return a.Chat.CheckKey(ctx, key, from)
}

// padded is a chat of a size in bytes.
func padded(size int) string {
	body := `{"message":"hi"}`
	return body + strings.Repeat(" ", size-len(body))
}

// TestKeyCheckBeforeLargeBodies tests that the key of a large body is checked before it has arrived,
// and that each message counts once in the rate.
func TestKeyCheckBeforeLargeBodies(t *testing.T) {
	t.Parallel()
	counted := &keyChecks{}
	// A rate that gives nothing back for ten seconds.
	b := newBench(t, storetest.Options{RatePerMinute: 6}, func(c *rest.Config) {
		counted.Chat, c.Chat = c.Chat, counted
	})
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Timeout: 2 * patience})
	key, unknown := b.fixture.Key.Reveal(), apikey.Mint().Reveal()
	const last = "0\r\n\r\n"
	for i, tc := range []struct {
		name, raw string
		checked   int64
	}{
		{"at the limit", request(key, padded(httpapi.LargeBody)), 0},
		{"over the limit", request(key, padded(httpapi.LargeBody+1)), 1},
		{"the longest", request(key, padded(rest.MaxBodyBytes)), 1},
		{"at the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody))+last), 0},
		{"over the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody+1))+last), 1},
	} {
		before := counted.n.Load()
		r := sendRaw(t, b.address, tc.raw)[0]
		if r.StatusCode != http.StatusOK || counted.n.Load()-before != tc.checked ||
			r.Header.Get("RateLimit-Remaining") != strconv.Itoa(5-i) {
			t.Errorf("%s: %d %v with %d checks, want %d", tc.name, r.StatusCode, r.Header,
				counted.n.Load()-before, tc.checked)
		}
		if tc.checked == 0 {
			continue
		}
		conn, reader := dial(t, b.address)
		whole := strings.Replace(tc.raw, key, unknown, 1)
		write(t, conn, whole[:len(whole)-len(last)])
		receive(t, reader, http.MethodPost).refused(t, http.StatusUnauthorized, "unauthorized")
	}
}

// full returns a budget whose shares for the given accounts are used up; uuid.Nil is the share of
// unknown callers.
func full(t *testing.T, accounts ...uuid.UUID) (budget *memory.Budget, release func()) {
	t.Helper()
	const size = 1 << 20
	budget = memory.Bytes(size)
	var holds []*memory.Hold
	for _, account := range accounts {
		hold := budget.Hold(account)
		for n := int64(size); n > 0; n /= 2 {
			_ = hold.Grow(n) // as often as it fits
		}
		holds = append(holds, hold)
	}
	return budget, func() {
		for _, hold := range holds {
			hold.Release()
		}
	}
}

// TestBodiesTakeFromTheBudget tests that a message needs memory of its account or, as long as its
// key is not known, of unknown callers. A key is checked before a message is refused for lack of
// memory: while unknown callers have used up their share, accounts are still answered.
func TestBodiesTakeFromTheBudget(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	account, key := b.fixture.Account.ID, b.fixture.Key.Reveal()
	for name, tc := range map[string]struct {
		used   []uuid.UUID // whose shares are used up
		claims func(*http.Request) uuid.UUID
		status int
	}{
		"unknown callers and the account": {used: []uuid.UUID{uuid.Nil, account}, status: 503},
		"unknown callers":                 {used: []uuid.UUID{uuid.Nil}, status: 200},
		"the account, whose key is known": {
			used:   []uuid.UUID{account},
			claims: func(*http.Request) uuid.UUID { return account },
			status: 503,
		},
	} {
		budget, release := full(t, tc.used...)
		used := budget.Used()
		address := serveBodies(t, b.api, &httpapi.Bodies{Memory: budget, Account: tc.claims})
		body := padded(5 << 10)
		chunks := chunk(body[:10]) + chunk(body[10:]) + "0\r\n\r\n"
		for _, raw := range []string{request(key, body), chunked(key, chunks)} {
			r := sendRaw(t, address, raw)[0]
			wait := r.Header.Get("Retry-After")
			if r.StatusCode != tc.status || tc.status == 503 && (wait == "" || !r.Close) {
				t.Errorf("%s: got %d %v, want %d", name, r.StatusCode, r.Header, tc.status)
			}
			stranger := sendRaw(t, address, strings.Replace(raw, key, apikey.Mint().Reveal(), 1))[0]
			stranger.refused(t, http.StatusUnauthorized, "unauthorized")
		}
		eventually(t, func() bool { return budget.Used() == used })
		release()
	}
}

// TestMemoryIsGivenBack tests that a message takes memory until its request ends, whatever its
// outcome. A client that leaves is recorded.
func TestMemoryIsGivenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	budget := memory.Bytes(256 << 10)
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Memory: budget})
	key, stream := b.fixture.Key.Reveal(), "Accept: text/event-stream"
	directive := func(text string) string { return quoted("[[sandbox " + text + "]]") }
	const slow = "words=100 pace=5ms"
	for _, c := range []struct {
		name, raw string
		status    int // 0: the client leaves when the turn has taken memory
	}{
		{"a reply", request(key, quoted("Hello.")), http.StatusOK},
		{"a stream", request(key, quoted("Hello."), stream), http.StatusOK},
		{"no JSON", request(key, "{"), http.StatusBadRequest},
		{"an unknown key", request(apikey.Mint().Reveal(), quoted("Hello.")), http.StatusUnauthorized},
		{"a model that fails", request(key, directive("fail=error")), http.StatusBadGateway},
		{"a model that panics", request(key, directive("fail=panic"), stream),
			http.StatusInternalServerError},
		{"too little memory", request(key, directive("words=20000")), http.StatusServiceUnavailable},
		{"a client that leaves", request(key, directive(slow)), 0},
		{"a stream that is broken off", request(key, directive(slow), stream), 0},
	} {
		if c.status != 0 {
			if r := sendRaw(t, b.address, c.raw)[0]; r.StatusCode != c.status {
				t.Errorf("%s: %d, want %d: %.300s", c.name, r.StatusCode, c.status, r.text)
			}
		} else {
			conn, _ := dial(t, b.address)
			write(t, conn, c.raw)
			eventually(t, func() bool { return budget.Used() > 32<<10 })
			_ = conn.Close()
		}
		if a := b.access(t); a.ClientGone != (c.status == 0) {
			t.Errorf("%s: recorded %+v", c.name, a)
		}
		eventually(t, func() bool { return budget.Used() == 0 })
	}
	storetest.Audit(t, b.store)
	panics := rest.New(rest.Config{Logger: b.journal.logger(),
		Chat: scripted(func(context.Context, chat.Stream) (chat.Result, error) {
			if used := budget.Used(); used < 4*(5<<10) {
				t.Errorf("a body of 5 KiB took %d bytes", used)
			}
			panic("on purpose")
		})})
	address := serveBodies(t, panics, &httpapi.Bodies{Memory: budget})
	sendRaw(t, address, request(key, padded(5<<10), stream))[0].
		refused(t, http.StatusInternalServerError, "internal")
	eventually(t, func() bool { return budget.Used() == 0 })
}
