package gemini_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm/llmtest"
)

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
