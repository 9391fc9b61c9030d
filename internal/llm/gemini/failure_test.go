package gemini_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm/llmtest"
)

// quoting is an error message that quotes the key and the prompt.
const quoting = "API key " + testKey + " is bad; see https://example.com/?key=" + testKey +
	" for " + prompt

func TestStatuses(t *testing.T) {
	t.Parallel()
	const failed, away = fault.ModelError, fault.ModelUnavailable
	const busy = `"error":{"code":503,"message":"` + prompt + `","status":"UNAVAILABLE"}`
	const odd = `[{"error":{"status":"` + quoting + `"}}]`
	refuse, status := llmtest.GeminiError, llmtest.Status
	for name, tc := range map[string]struct {
		reply llmtest.Reply
		kind  fault.Kind
		after time.Duration
		cause string
	}{
		"400":              {reply: refuse(400, "INVALID_ARGUMENT", quoting), kind: failed, cause: "400 INVALID_ARGUMENT"},
		"401":              {reply: refuse(401, "UNAUTHENTICATED", quoting), kind: away, cause: "key was refused"},
		"403":              {reply: refuse(403, "PERMISSION_DENIED", quoting), kind: away, cause: "key was refused"},
		"404":              {reply: refuse(404, "NOT_FOUND", quoting), kind: failed, cause: "404 NOT_FOUND"},
		"429":              {reply: status(429), kind: away, cause: "429 RESOURCE_EXHAUSTED"},
		"429, wait":        {reply: status(429, "Retry-After", "17"), kind: away, after: 17 * time.Second},
		"500":              {reply: refuse(500, "INTERNAL", quoting), kind: failed, cause: "500 INTERNAL"},
		"503":              {reply: status(503), kind: away, cause: "503 UNAVAILABLE"},
		"503, object":      {reply: llmtest.StatusBody(503, "{"+busy+"}"), kind: away, cause: "503 UNAVAILABLE"},
		"503, odd body":    {reply: llmtest.StatusBody(503, odd), kind: away, cause: "answered 503"},
		"odd error inside": {reply: llmtest.GeminiChunks(`{"error":{"code":7,"message":"` + prompt + `"}}`), kind: failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewGemini(t)
			s.Always(tc.reply)
			reply, err := ask(t, newModel(t, s.URL), request())
			if !fault.Is(err, tc.kind) || reply.Text != "" {
				t.Fatalf("reply %+v, error %v, want %s", reply, err, tc.kind)
			}
			if f, ok := errors.AsType[*fault.Error](err); !ok || f.RetryAfter != tc.after ||
				f.Message != "" {
				t.Errorf("retry after %v, want %v, message %q", f.RetryAfter, tc.after, f.Message)
			}
			if !strings.Contains(err.Error(), tc.cause) {
				t.Errorf("error %v, expected one with %q", err, tc.cause)
			}
		})
	}
}

// TestNonsense reads responses of status 200 that are not in Gemini's format. Package upstream
// tests responses in no format.
func TestNonsense(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"an object":        llmtest.Body("application/json", chunk("yes")),
		"a number":         llmtest.Body("application/json", "42"),
		"array of texts":   llmtest.Body("application/json", `["`+prompt+`"]`),
		"text is a number": llmtest.GeminiChunks(parts(`{"text":42}`)),
		"parts are a text": llmtest.GeminiChunks(`{"candidates":[{"content":{"parts":"` + prompt + `"}}]}`),
		"bad JSON later":   llmtest.GeminiChunks(chunk("yes"), `{"candidates":`+testKey),
		"half a chunk":     llmtest.Body("application/json", "["+chunk("yes")+","+chunk("yes")[:40]),
		"wrong end":        llmtest.Body("application/json", "["+llmtest.GeminiChunk("yes", "1", "")+"}"),
		"event stream":     llmtest.Body("text/event-stream", "data: "+llmtest.GeminiChunk("yes", "1", "")+"\n\n"),
		"deep nesting":     llmtest.Body("application/json", "["+strings.Repeat("[", 200_000)),
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
}
