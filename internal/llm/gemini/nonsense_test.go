package gemini_test

import (
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm/llmtest"
)

// TestNonsense is part of F2: answers of status 200 that are not in Gemini's format.
func TestNonsense(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int64
	other := llmtest.NewGemini(t)
	other.Always(func(e *llmtest.Exchange) { elsewhere.Add(1); llmtest.Text("stolen")(e) })
	for name, reply := range map[string]llmtest.Reply{
		"garbage":           llmtest.Garbage(),
		"HTML":              llmtest.HTML(),
		"empty":             llmtest.Body("application/json"),
		"an object":         llmtest.Body("application/json", chunk("yes")),
		"a number":          llmtest.Body("application/json", "42"),
		"array of texts":    llmtest.Body("application/json", `["`+prompt+`"]`),
		"text is a number":  llmtest.GeminiChunks(parts(`{"text":42}`)),
		"parts are a text":  llmtest.GeminiChunks(`{"candidates":[{"content":{"parts":"` + prompt + `"}}]}`),
		"bad JSON later":    llmtest.GeminiChunks(chunk("yes"), `{"candidates":`+testKey),
		"no end":            llmtest.Body("application/json", "["+llmtest.GeminiChunk("yes", "1", "")),
		"wrong end":         llmtest.Body("application/json", "["+llmtest.GeminiChunk("yes", "1", "")+"}"),
		"event stream":      llmtest.Body("text/event-stream", "data: "+llmtest.GeminiChunk("yes", "1", "")+"\n\n"),
		"cut off":           llmtest.CutOff("a text that ", "is cut ", "in the middle"),
		"dropped":           llmtest.Drop(),
		"redirect":          llmtest.Redirect(http.StatusTemporaryRedirect, other.URL+"/v1beta/models/x:streamGenerateContent"),
		"permanent one":     llmtest.Redirect(http.StatusPermanentRedirect, other.URL+"/v1beta/models/x:streamGenerateContent"),
		"redirect to GET":   llmtest.Redirect(http.StatusSeeOther, other.URL),
		"deep nesting":      llmtest.Body("application/json", "["+strings.Repeat("[", 200_000)),
		"unknown encoding":  encoded(),
		"over the limit":    llmtest.Text(strings.Repeat("x", 2<<20)),
		"zip of 8 MiB":      llmtest.GzipBomb(8 << 20),
		"status line of it": llmtest.Bytes("HTTP/1.1 " + testKey + "\r\n\r\n" + prompt),
		"header of it":      llmtest.Bytes("HTTP/1.1 200 OK\r\n" + testKey + "\r\n\r\n" + prompt),
		"not HTTP":          llmtest.Bytes("SSH-2.0-" + prompt + "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewGemini(t)
			s.Always(reply)
			got, err := ask(t, newModel(t, s.URL), request())
			if !fault.Is(err, fault.ModelError) || got.Text != "" {
				t.Errorf("reply of %d bytes, error %v", len(got.Text), err)
			}
			if len(s.Requests()) != 1 {
				t.Errorf("%d attempts", len(s.Requests()))
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere.Load() != 0 {
			t.Error("a redirect was followed")
		}
	})
}

// encoded declares an encoding that was not requested.
func encoded() llmtest.Reply {
	return func(e *llmtest.Exchange) {
		e.W.Header().Set("Content-Encoding", "br")
		llmtest.Garbage()(e)
	}
}

// TestEndless is part of F2: an answer of 1 GB is abandoned after 2 MiB, in one text or in pieces, and its connection is closed.
func TestEndless(t *testing.T) { // not parallel, because it measures memory
	for name, endless := range map[string]func(int, func(int)) llmtest.Reply{
		"one text": llmtest.EndlessText, "pieces": llmtest.EndlessPieces,
	} {
		s := llmtest.NewGemini(t)
		sent := make(chan int, 1)
		s.Next(endless(1<<30, func(n int) { sent <- n }))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ask(t, newModel(t, s.URL), request())
		runtime.ReadMemStats(&after)
		if !fault.Is(err, fault.ModelError) || !strings.Contains(err.Error(), "over 2097152 bytes") {
			t.Errorf("%s: %v", name, err)
		}
		s.NoConnection(t)
		n := <-sent
		grown := (after.TotalAlloc - before.TotalAlloc) >> 20
		t.Logf("%s: %d KiB sent, %d MiB allocated in all", name, n>>10, grown)
		if n > 64<<20 {
			t.Errorf("%s: %d bytes were sent before the connection was closed", name, n)
		}
		if grown > 64 {
			t.Errorf("%s: %d MiB allocated for an answer of at most 2 MiB", name, grown)
		}
	}
}
