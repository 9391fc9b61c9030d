package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
)

// send sends a body, and returns the status, the type and the body of the response.
func (p *proxied) send(t *testing.T, c *http.Client, url, key, requestID, body string) string {
	t.Helper()
	resp, err := post(t.Context(), c, url, key, json.RawMessage(body), "X-Request-Id", requestID,
		"X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9", "Forwarded", "for=203.0.113.9")
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	kind := resp.Header.Get("Content-Type")
	return fmt.Sprintf("%d %s %s %v", resp.StatusCode, kind, got, err)
}

// expectErrors expects the service's errors unchanged.
func (p *proxied) expectErrors(t *testing.T) {
	t.Helper()
	const hello = `{"message":"Hello","session_id":"errors"}`
	key := p.fixture.Key.Reveal()
	text := func(length int) string { return `{"message":"` + strings.Repeat("x", length) + `"}` }
	for name, row := range map[string]struct{ path, key, body string }{
		"wrong-key":     {"/v1/agent/chat", "ac_wrong", hello},
		"no-such-path":  {"/v1/agent/none", key, hello},
		"not-an-object": {"/v1/agent/chat", key, `"nonsense"`},
		"large-body":    {"/v1/agent/chat", key, text(300 << 10)},
		"larger-body":   {"/v1/agent/chat", key, text(4 << 20)},
	} {
		direct := p.send(t, p.direct, p.r.base()+row.path, row.key, name, row.body)
		through := p.send(t, p.http, "https://"+p.address+row.path, row.key, name, row.body)
		if through != direct || !strings.Contains(direct, "application/json") {
			t.Errorf("%s: %.300s through the proxy, %.300s without it", name, through, direct)
		}
	}
}

// expectBridge expects the bridge at its four paths: its errors differ from the service's.
func (p *proxied) expectBridge(t *testing.T) {
	t.Helper()
	p.http.CloseIdleConnections() // nginx has closed one after the large body
	for _, path := range []string{"/v1/responses", "/v1/chat/completions", "/v1/models", "/mcp"} {
		if got := p.send(t, p.http, "https://"+p.address+path, "ac_wrong", "bridge", "{}"); !strings.Contains(got, `"type":"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// expectAddress expects the address of the proxy's client in the service's log, not the claimed
// one.
func (p *proxied) expectAddress(t *testing.T) {
	t.Helper()
	transport := p.http.Transport.(*http.Transport).Clone()
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	transport.DialContext = (&net.Dialer{LocalAddr: local}).DialContext
	defer transport.CloseIdleConnections()
	elsewhere := &http.Client{Transport: transport}
	p.send(t, elsewhere, p.chat(), "ac_wrong", "address-1", `{"message":"Hello"}`)
	eventually(t, "the request is logged with the client's address", func() bool {
		for line := range strings.Lines(p.r.log.String()) {
			if strings.Contains(line, `"msg":"request"`) && strings.Contains(line, `"address-1"`) {
				return strings.Contains(line, `"client":"127.0.0.2"`)
			}
		}
		return false
	})
}

// expectStream makes the model write for some time. Each text must arrive before the next one is
// sent.
func (p *proxied) expectStream(t *testing.T, length time.Duration) {
	t.Helper()
	const pieces = 20
	sent := make(chan time.Time, pieces)
	texts := make([]string, pieces)
	for i := range texts {
		texts[i] = fmt.Sprintf("piece %d. ", i)
	}
	p.model.Next(llmtest.TextObserved(func(int) {
		<-time.After(length / pieces)
		sent <- time.Now()
	}, texts...))
	ctx, cancel := context.WithTimeout(t.Context(), length+20*time.Second)
	defer cancel()
	resp, lines, err := openStream(ctx, p.http, p.chat(), p.fixture.Key.Reveal(), "Hello")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var delays []time.Duration
	for range pieces {
		if err := until(lines, "delta", 1); err != nil {
			t.Fatalf("after %d of %d texts: %v", len(delays), pieces, err)
		}
		delays = append(delays, time.Since(<-sent))
	}
	if err := until(lines, "end", 1); err != nil {
		t.Errorf("the stream has no end: %v", err)
	}
	slowest := slices.Max(delays)
	if slowest > length/pieces {
		t.Errorf("a text arrived %s after it was sent, when the next one was due", slowest)
	}
	t.Logf("a stream of %s: the first text %s after it was sent, the slowest %s, with HTTP/%d", length,
		delays[0].Round(100*time.Microsecond), slowest.Round(100*time.Microsecond), resp.ProtoMajor)
}

// expectLateReply expects a whole reply that takes some time, during which nothing is sent.
func (p *proxied) expectLateReply(t *testing.T, wait time.Duration) {
	t.Helper()
	pause := func(int) { <-time.After(wait / 5) }
	p.model.Next(llmtest.TextObserved(pause, "This ", "is ", "a ", "late ", "reply."))
	got := p.send(t, p.http, p.chat(), p.fixture.Key.Reveal(), "late", `{"message":"Hello"}`)
	if !strings.HasPrefix(got, "200 ") {
		t.Errorf("after %s: %s", wait, got)
	}
}

// expectNoQuery expects no query string in the proxy's log, not even of a request that fails
// because the service is gone.
func (p *proxied) expectNoQuery(t *testing.T, log func() string) {
	t.Helper()
	const marker = "words-of-a-search"
	search := func(size int) int {
		url := "https://" + p.address + "/graphql?query={__typename}&a=" + marker
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			url+strings.Repeat("x", size), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Referer", "https://"+p.address+"/graphql?"+marker)
		resp, err := p.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if status := search(8 << 10); status != http.StatusRequestURITooLong {
		t.Errorf("a long search is %d", status)
	}
	if status := search(0); status != http.StatusOK {
		t.Errorf("a search is %d", status)
	}
	p.r.kill()
	gone := []int{http.StatusBadGateway, http.StatusServiceUnavailable}
	if status := search(0); !slices.Contains(gone, status) {
		t.Errorf("a search without the service is %d", status)
	}
	eventually(t, "the proxy logs the paths", func() bool {
		return strings.Count(log(), "/graphql") >= 3
	})
	if strings.Contains(log(), marker) {
		t.Error("the proxy's log contains a search")
	}
}
