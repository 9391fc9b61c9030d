package upstream_test

import (
	"bytes"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// TestKnowledgeIsSent shows that every adapter sends the passages, also in requests with actions.
func TestKnowledgeIsSent(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		for name, actions := range map[string][]llm.Action{"text": nil, "actions": {{Name: "wait", Parameters: `{"type":"object"}`}}} {
			s := a.serve(t)
			s.Always(llmtest.Text("Hi"))
			req := request()
			req.Actions, req.Knowledge = actions, &llm.Knowledge{Block: "the-block-of-passages\n"}
			if _, err := llmtest.Ask(t, a.model(t, s.URL, quick), req); err != nil {
				t.Fatal(err)
			}
			if body := s.Last(t).Body; bytes.Count(body, []byte("the-block-of-passages\\n"+prompt)) != 1 {
				t.Errorf("%s, %s: sent %s", a.name, name, body)
			}
		}
	}
}
