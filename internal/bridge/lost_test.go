package bridge_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// TestStreamsThatFail: a stream of the service that fails after a text. Only a cut one is repeated, until
// the service answers; a failure is repeated only if the client can get the reply with the same key.
func TestStreamsThatFail(t *testing.T) {
	t.Parallel()
	const begun = "event: start\ndata: {\"message_id\":\"0199a3ec-7c5f-7156-9c1b-5b8f0a6d2eb9\",\"session_id\":\"one\"}\n\n" +
		"event: delta\ndata: {\"text\":\"Completely\"}\n\n"
	failure := func(code string) string { return `{"error":{"code":"` + code + `","message":"x"}}` }
	other := strings.Replace(begun, "Completely", "Different", 1)
	for name, c := range map[string]struct {
		first, next, ends, code, header string
		requests                        int32
	}{
		"error": {
			first:    begun + "event: error\ndata: " + failure("internal") + "\n\n",
			next:     other,
			ends:     "[DONE]",
			code:     "internal",
			requests: 1,
		},
		"cut, then a failure": {
			first:    begun,
			next:     failure("internal"),
			ends:     "[DONE]",
			code:     "internal",
			requests: 2,
		},
		"cut, then a failure, with a key": {
			first:    begun,
			next:     failure("internal"),
			ends:     "[DONE]",
			code:     "internal",
			header:   "Idempotency-Key: once",
			requests: 4,
		},
		"cut, then busy": {
			first:    begun,
			next:     failure("request_in_progress"),
			ends:     "[DONE]",
			code:     "request_in_progress",
			requests: 4,
		},
		"cut event": {
			first:    begun + "event: delta\ndata: {\"text\":\"Hel",
			next:     other,
			ends:     "Completely",
			code:     "other_reply",
			requests: 2,
		},
		"invalid": {
			first:    begun + "event: delta\ndata: {\"text\":\"Hel\n\n",
			next:     other,
			ends:     "[DONE]",
			code:     "bad_gateway",
			requests: 1,
		},
		"without end": {
			first:    begun + ":" + strings.Repeat("x", 16<<20),
			next:     other,
			ends:     "[DONE]",
			code:     "bad_gateway",
			requests: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					text := c.next
					if requests.Add(1) == 1 {
						text = c.first
					} else if text[0] == '{' {
						w.Header().Set("Content-Type", "application/json")
						w.WriteHeader(http.StatusInternalServerError)
					}
					_, _ = io.WriteString(w, text)
				})
			})
			request := b.request(t.Context(), b.bridge+responses, `{"stream": true, "input": "Hello"}`, c.header)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			if (err == nil) != (c.ends == "[DONE]") || strings.Contains(string(text), "[DONE]") != (err == nil) || !strings.Contains(string(text), c.ends) {
				t.Errorf("%v: %.2000s", err, text)
			}
			_ = response.Body.Close()
			if requests.Load() != c.requests || !strings.Contains(b.log.String(), `"code":"`+c.code+`"`) {
				t.Errorf("%d requests; log: %s", requests.Load(), b.log.String())
			}
		})
	}
}

// TestSilentStream: it is cut and repeated, and the operator learns why.
func TestSilentStream(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			_, _ = io.Copy(io.Discard, r.Body) // net/http watches the connection only afterwards
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
	})
	b.silence = time.Millisecond
	b.bridge, _ = b.serveBridge(b.service)
	b.send(responses, `{"stream": true, "input": "Hello"}`).refused(t, 503, "unavailable")
	if log := b.log.String(); requests.Load() != 4 || !strings.Contains(log, "the stream was silent for too long") {
		t.Errorf("%d requests; log: %s", requests.Load(), log)
	}
}

// TestClientLeaves: before its answer, and while the bridge waits to repeat its message. Nothing
// looks like an answer or an outage.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"silent": "",
		// The bridge hangs up before the end, which shows that it has read the answer.
		"unavailable": `{"error":{"code":"unavailable","message":"x"}}` + strings.Repeat(" ", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived := make(chan struct{}, 1)
			b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body) // net/http watches the connection only afterwards
					if answer != "" {
						w.Header().Set("Content-Type", "application/json")
						w.Header().Set("Retry-After", "30")
						w.WriteHeader(http.StatusServiceUnavailable)
						_, _ = io.WriteString(w, answer)
						<-r.Context().Done()
					}
					arrived <- struct{}{}
					<-r.Context().Done()
				})
			})
			conn, err := net.Dial("tcp", strings.TrimPrefix(b.bridge, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if err := b.request(t.Context(), b.bridge+responses, `{"input": "Hello"}`).Write(conn); err != nil {
				t.Fatal(err)
			}
			<-arrived
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(conn); err != nil || len(text) > 0 || !strings.Contains(b.log.String(), `"code":"client_gone"`) ||
				strings.Contains(b.log.String(), "requests are refused") {
				t.Errorf("%v %q; log: %s", err, text, b.log.String())
			}
		})
	}
}
