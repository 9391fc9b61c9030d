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

func TestKeyCheckBeforeLargeBodies(t *testing.T) {
	t.Parallel()
	counted := &keyChecks{}
	// A rate that gives nothing back for ten seconds.
	b := newBench(t, storetest.Options{RatePerMinute: 6}, func(c *rest.Config) {
		counted.Chat, c.Chat = c.Chat, counted
	})
	key := b.fixture.Key.Reveal()
	for i, tc := range []struct {
		name, raw string
		checked   int64
	}{
		{"at the limit", request(key, padded(httpapi.LargeBody)), 0},
		{"over the limit", request(key, padded(httpapi.LargeBody+1)), 1},
		{"the longest", request(key, padded(rest.MaxBodyBytes)), 1},
		{"at the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody))+"0\r\n\r\n"), 0},
		{"over the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody+1))+"0\r\n\r\n"), 1},
	} {
		before := counted.n.Load()
		r := sendRaw(t, b.address, tc.raw)[0]
		if r.StatusCode != http.StatusOK || counted.n.Load()-before != tc.checked {
			t.Errorf("%s: %d with %d keyChecks, want %d: %s", tc.name, r.StatusCode, counted.n.Load()-before,
				tc.checked, r.text)
		}
		if got, want := r.Header.Get("RateLimit-Remaining"), strconv.Itoa(5-i); got != want {
			t.Errorf("%s: RateLimit-Remaining is %s, want %s: each chat counts once", tc.name, got, want)
		}
	}
}

// A large body under a key that is not valid is refused while it is still to come.
func TestLargeBodiesOfStrangersAreNotRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	unknown := apikey.Mint().Reveal()
	b.address = serveWithin(t, b.api, 2*patience)
	for _, raw := range []string{
		request(unknown, "", "Content-Length: "+strconv.Itoa(httpapi.LargeBody+1)),
		chunked(unknown, chunk(padded(httpapi.LargeBody+1))),
	} {
		conn, reader := dial(t, b.address)
		write(t, conn, raw)
		r := receive(t, reader, http.MethodPost)
		r.refused(t, http.StatusUnauthorized, "unauthorized")
	}
	b.untouched(t)
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

func TestBodiesTakeFromTheBudget(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	budget, release := full(t, uuid.Nil, b.fixture.Account.ID)
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Memory: budget})
	used := budget.Used()
	r := b.post(t, padded(5<<10))
	r.refused(t, http.StatusServiceUnavailable, "unavailable")
	if r.Header.Get("Retry-After") == "" || !r.Close {
		t.Errorf("over the limit: the headers are %v", r.Header)
	}
	refused := sendRaw(t, b.address, request(apikey.Mint().Reveal(), padded(5<<10)))[0]
	refused.refused(t, http.StatusUnauthorized, "unauthorized") // the key first
	eventually(t, func() bool { return budget.Used() == used })
	release()
	held := int64(0)
	b.address = serveBodies(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.api.ServeHTTP(w, r)
		held = budget.Used()
	}), &httpapi.Bodies{Memory: budget})
	if r := b.post(t, padded(5<<10)); r.StatusCode != http.StatusOK {
		t.Errorf("with memory: %d: %s", r.StatusCode, r.text)
	}
	eventually(t, func() bool { return budget.Used() == 0 })
	if held < 4*(5<<10) {
		t.Errorf("a request of 5 KiB held %d bytes", held)
	}
}

// TestStrangersLeaveMemoryToAccounts: while strangers have used up their share, a good key's first
// message is found to be an account's, and answered; announced or in chunks, and however it is cut.
func TestStrangersLeaveMemoryToAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	budget, release := full(t, uuid.Nil)
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Memory: budget})
	used, key := budget.Used(), b.fixture.Key.Reveal()
	for name, raw := range map[string]string{
		"announced": request(key, padded(1<<10)),
		"in chunks": chunked(key, chunk(padded(1 << 10)[:10])+chunk(padded(1 << 10)[10:])+"0\r\n\r\n"),
	} {
		if r := sendRaw(t, b.address, raw)[0]; r.StatusCode != http.StatusOK {
			t.Errorf("%s: %d: %s", name, r.StatusCode, r.text)
		}
		stranger := sendRaw(t, b.address, strings.Replace(raw, key, apikey.Mint().Reveal(), 1))[0]
		stranger.refused(t, http.StatusUnauthorized, "unauthorized")
	}
	release()
	eventually(t, func() bool { return budget.Used() == 0 })
	if used == 0 {
		t.Error("the strangers held nothing")
	}
}

// TestKnownKeysTakeFromTheirAccount: the memory of a request is that of its key's account, as far
// as the key is known.
func TestKnownKeysTakeFromTheirAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	account := b.fixture.Account.ID
	budget, release := full(t, account)
	defer release()
	var asked atomic.Int64
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Memory: budget, Account: func(r *http.Request) uuid.UUID {
		asked.Add(1)
		return account
	}})
	b.post(t, padded(1<<10)).refused(t, http.StatusServiceUnavailable, "unavailable")
	if asked.Load() != 1 {
		t.Errorf("asked %d times for the account", asked.Load())
	}
	b.untouched(t)
}
