package rest_test

import (
	"context"
	"net/http"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/httpapi"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// TestMemoryIsGivenBack tests that nothing of the budget is held after a message, whatever its
// outcome.
func TestMemoryIsGivenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, unobserved)
	budget := memory.Bytes(256 << 10)
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Memory: budget})
	key, stream := b.fixture.Key.Reveal(), "Accept: text/event-stream"
	const slow = "[[sandbox words=100 pace=5ms]]"
	for _, c := range []struct {
		name, raw string
		status    int // 0: the client leaves when the turn has taken memory
	}{
		{"a reply", request(key, quoted("Hello.")), http.StatusOK},
		{"a stream", request(key, quoted("Hello."), stream), http.StatusOK},
		{"no JSON", request(key, "{"), http.StatusBadRequest},
		{"an unknown key", request(apikey.Mint().Reveal(), quoted("Hello.")), http.StatusUnauthorized},
		{"a model that fails", request(key, quoted("[[sandbox fail=error]]")), http.StatusBadGateway},
		{"a model that panics", request(key, quoted("[[sandbox fail=panic]]"), stream),
			http.StatusInternalServerError},
		{"too little memory", request(key, quoted("[[sandbox words=20000]]")), http.StatusServiceUnavailable},
		{"a client that leaves", request(key, quoted(slow)), 0},
		{"a stream that is broken off", request(key, quoted(slow), stream), 0},
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
		eventually(t, func() bool { return budget.Used() == 0 })
		if _, held := b.credits(t); held != 0 {
			t.Errorf("%s: %d credits are held", c.name, held)
		}
	}
	storetest.Audit(t, b.store)
	panics := rest.New(rest.Config{Logger: b.journal.logger(),
		Chat: scripted(func(context.Context, chat.Stream) (chat.Result, error) {
			if budget.Used() == 0 {
				t.Error("a body took no memory")
			}
			panic("on purpose")
		})})
	address := serveBodies(t, panics, &httpapi.Bodies{Memory: budget})
	sendRaw(t, address, request(key, quoted("Hello."), stream))[0].
		refused(t, http.StatusInternalServerError, "internal")
	eventually(t, func() bool { return budget.Used() == 0 })
}
