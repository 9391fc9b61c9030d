package rest_test

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/httpapi"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// admissions counts the calls of Admit, each of which is a statement.
type admissions struct {
	rest.Chat
	n atomic.Int64
}

func (a *admissions) Admit(ctx context.Context, key apikey.Hash, from netip.Addr) (*chat.Caller, error) {
	a.n.Add(1)
	return a.Chat.Admit(ctx, key, from)
}

// padded is a chat of a size in bytes.
func padded(size int) string {
	body := `{"message":"hi"}`
	return body + strings.Repeat(" ", size-len(body))
}

func TestOnlyLargeBodiesAreAdmittedFirst(t *testing.T) {
	t.Parallel()
	counted := &admissions{}
	// A rate that gives nothing back for ten seconds.
	b := newBench(t, storetest.Options{RatePerMinute: 6}, func(c *rest.Config) {
		counted.Chat, c.Chat = c.Chat, counted
	})
	key := b.fixture.Key.Reveal()
	for i, tc := range []struct {
		name, raw string
		admitted  int64
	}{
		{"at the limit", request(key, padded(httpapi.LargeBody)), 0},
		{"over the limit", request(key, padded(httpapi.LargeBody+1)), 1},
		{"the longest", request(key, padded(rest.MaxBodyBytes)), 1},
		{"at the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody))+"0\r\n\r\n"), 0},
		{"over the limit, in chunks", chunked(key, chunk(padded(httpapi.LargeBody+1))+"0\r\n\r\n"), 1},
	} {
		before := counted.n.Load()
		r := exchangeRaw(t, b.address, tc.raw)[0]
		if r.StatusCode != http.StatusOK || counted.n.Load()-before != tc.admitted {
			t.Errorf("%s: %d with %d admissions, want %d: %s", tc.name, r.StatusCode, counted.n.Load()-before, tc.admitted, r.text)
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

func TestBodiesTakeFromTheBudget(t *testing.T) {
	t.Parallel()
	const small = 16 << 10 // what a small body takes
	b := newBench(t, storetest.Options{}, nil)
	budget := memory.Bytes(3 * small)
	// left reports whether two bodies are held, and one more fits.
	left := func() bool {
		tooMuch, more := budget.TryTake(small + 1)
		tooMuch()
		giveBack, enough := budget.TryTake(small)
		giveBack()
		return enough && !more
	}
	release, held := make(chan struct{}), make(chan struct{})
	b.address = serveBodies(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Hold") != "" { // a request that takes long
			_, _ = io.Copy(io.Discard, r.Body)
			held <- struct{}{}
			<-release
		}
		b.api.ServeHTTP(w, r)
	}), &httpapi.Bodies{Memory: budget})
	letGo := sync.OnceFunc(func() { close(release) })
	t.Cleanup(letGo)
	for range 2 {
		conn, _ := dial(t, b.address)
		write(t, conn, request("k", padded(100), "X-Hold: yes"))
		<-held
	}
	if r := b.post(t, padded(4<<10)); r.StatusCode != http.StatusOK {
		t.Errorf("at the limit: %d: %s", r.StatusCode, r.text)
	}
	eventually(t, left)
	r := b.post(t, padded(4<<10+1))
	r.refused(t, http.StatusServiceUnavailable, "unavailable")
	if r.Header.Get("Retry-After") == "" || !r.Close {
		t.Errorf("over the limit: the headers are %v", r.Header)
	}
	refused := exchangeRaw(t, b.address, request(apikey.Mint().Reveal(), padded(5<<10)))[0]
	refused.refused(t, http.StatusUnauthorized, "unauthorized") // the key first
	eventually(t, left)
	letGo()
	eventually(t, func() bool {
		giveBack, all := budget.TryTake(3 * small)
		giveBack()
		return all
	})
}
