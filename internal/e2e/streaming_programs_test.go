package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// streamedTexts contains what a reader could cut a stream at by mistake: the byte 0x85, line breaks
// of Unicode, escapes, and a letter of two UTF-16 code units.
var streamedTexts = []string{"Å…", "a\u2028b\u0085c", "line\nbreak \"quoted\" \\ ", "😀", "end"}

// event returns a server-sent event. It contains U+2028 itself, which Go would escape.
func event(name string, data any) string {
	encoded, _ := json.Marshal(data)
	text := strings.ReplaceAll(string(encoded), `\u2028`, "\u2028")
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, text)
}

// TestStreamingPrograms runs the streaming example in each language. It prints the service's reply,
// sends the message again under its key after a cut, a response with Retry-After or the error
// unavailable, and stops at a refusal and at another error.
func TestStreamingPrograms(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	r := start(t, url)
	key := "AGENTCHAT_API_KEY=" + f.Key.Reveal()
	begin := ":\n\n" + event("start", map[string]string{"message_id": "1", "session_id": "s"})
	deltas := ""
	for _, text := range streamedTexts {
		deltas += event("delta", map[string]string{"text": text})
	}
	whole := begin + deltas + event("later", map[string]int{"x": 1}) +
		event("end", map[string]string{"reply": strings.Join(streamedTexts, "")})
	half, _, _ := strings.Cut(begin+deltas, "…")
	failed := func(code string) string {
		problem := map[string]string{"code": code, "message": "No."}
		return begin + event("error", map[string]any{"error": problem})
	}
	for _, program := range []string{"chat.sh", "chat.py", "chat.js", "main.go", "chat.php", "Chat.java"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			run := func(service, key string) (string, error) {
				out, err := example(t, "streaming/"+program, service, key).CombinedOutput()
				return string(out), err
			}
			got, err := run(r.base(), key)
			if err != nil || !strings.Contains(got, "Hello!") {
				t.Errorf("%v: %s", err, got)
			}
			got, err = run(r.base(), key+"x")
			if err == nil || !strings.Contains(got, "unauthorized") {
				t.Errorf("with a wrong key: %v: %s", err, got)
			}
			service, keys := streams(t, half[:len(half)-1], retryLater, failed("unavailable"), whole)
			got, err = run(service, key)
			if program != "chat.sh" && !strings.Contains(got, strings.Join(streamedTexts, "")) {
				t.Errorf("after a cut: %s", got)
			}
			if sent := keys(); err != nil || len(sent) != 4 || len(sent[0]) < 16 ||
				len(slices.Compact(sent)) != 1 {
				t.Errorf("after a cut: %v, keys %q", err, sent)
			}
			service, keys = streams(t, failed("content_blocked"))
			got, err = run(service, key)
			if err == nil || !strings.Contains(got, "content_blocked") || len(keys()) != 1 {
				t.Errorf("with an error: %v, keys %q: %s", err, keys(), got)
			}
		})
	}
}

// retryLater is the body of streams for a 409 with Retry-After.
const retryLater = ""

// streams starts a server that answers its n-th request with the n-th body, three bytes at a time.
// It breaks off after a body without an end. keys returns the idempotency keys of the requests.
func streams(t *testing.T, bodies ...string) (address string, keys func() []string) {
	t.Helper()
	var mu sync.Mutex
	var received []string
	keys = func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(received)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		mu.Lock()
		n := len(received)
		received = append(received, q.Header.Get("Idempotency-Key"))
		mu.Unlock()
		if n >= len(bodies) {
			panic(http.ErrAbortHandler)
		}
		if bodies[n] == retryLater {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusConflict)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for part := range slices.Chunk([]byte(bodies[n]), 3) {
			_, _ = w.Write(part)
			_ = http.NewResponseController(w).Flush()
		}
		if !strings.HasSuffix(bodies[n], "\n\n") {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, keys
}
