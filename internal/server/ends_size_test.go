package server_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestChunkedRequestEndsItsConnection checks that the connection ends after a request with both a
// Content-Length and chunks.
func TestChunkedRequestEndsItsConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	const second = "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
	chunks := func(body string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body) }
	for name, c := range map[string]struct {
		header, body string
		status       int
	}{
		"a chat":            {chatStart + authorized + asJSON, `{"message":"hi"}`, 200},
		"a chat that fails": {chatStart + asJSON, `{"message":"hi"}`, 401},
		"another path":      {"POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\n", "x", 404},
		"the panel":         {"GET / HTTP/1.1\r\nHost: localhost\r\n", "x", 200},
		"the description":   {"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n", "x", 200},
	} {
		for _, length := range []string{"", "Content-Length: 3\r\n", "Content-Length: 0\r\n"} {
			w := open(t, b.address)
			w.send(b.fill(c.header + length + "Transfer-Encoding: chunked\r\n\r\n" + chunks(c.body) + second))
			statuses, text, _ := w.ended()
			if !slices.Equal(statuses, []int{c.status}) || !strings.Contains(text, "\r\nConnection: close\r\n") {
				t.Errorf("%s, %q: answered with %v, want %d once, and Connection: close: %.300q", name, length, statuses, c.status, text)
			}
		}
	}
	w := open(t, b.address) // without chunks, both requests are answered
	w.send(second + strings.Replace(second, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1))
	if statuses, _, _ := w.ended(); !slices.Equal(statuses, []int{200, 200}) {
		t.Errorf("without chunks: %v", statuses)
	}
}

// wantTooLarge posts a body with and without its length, and checks that an ordinary client reads
// the 413. With closing, it asks to close the connection.
func (b *bench) wantTooLarge(t *testing.T, body []byte, closing bool) {
	t.Helper()
	for _, reader := range []io.Reader{
		bytes.NewReader(body),
		io.MultiReader(bytes.NewReader(body)), // whose length net/http does not know
	} {
		url := b.url + "/v1/agent/chat"
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, reader)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+b.fixture.Key.Reveal())
		request.Close = closing
		client := http.Client{Timeout: waitLimit, Transport: new(http.Transport)}
		response, err := client.Do(request)
		if err != nil {
			t.Errorf("%T, closing %v: %v", reader, closing, err)
			continue
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusRequestEntityTooLarge ||
			!bytes.HasSuffix(bytes.TrimSpace(text), []byte("}")) {
			t.Errorf("%T, closing %v: %d %q, %v", reader, closing, response.StatusCode, text, err)
		}
	}
}

// TestLargeBodiesAreCut checks that only about a megabyte of an endless body is read, however fast
// the client sends. An ordinary client that sends a body over the limit reads the 413.
func TestLargeBodiesAreCut(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	for framing, rest := range map[string]string{
		"a length": "Content-Length: 9000000000000000000\r\n\r\n",
		"chunks":   "Transfer-Encoding: chunked\r\n\r\nfffffffffff\r\n",
	} {
		conn := connect(t, b.address)
		// The buffers of both systems must be small compared to what is measured.
		_ = conn.(*net.TCPConn).SetWriteBuffer(64 << 10)
		writeTo(t, conn, b.fill(chatStart+authorized+asJSON+rest))
		began, sent := time.Now(), 0
		for chunk := bytes.Repeat([]byte(" "), 64<<10); ; {
			n, err := conn.Write(chunk)
			sent += n
			if err != nil {
				break
			}
		}
		if took := time.Since(began); took > 4*time.Second || sent > 16<<20 {
			t.Errorf("%s: %d KiB were sent in %s", framing, sent>>10, took)
		}
	}
	for i := range 12 {
		b.wantTooLarge(t, make([]byte, []int{900 << 10, 8 << 20}[i/8]), i%2 == 0)
	}
	b.wantTurns(t, 0)
}
