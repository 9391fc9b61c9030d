package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// FuzzDirectives sends random messages. Each is answered or fails with a fault within the time that
// directives can request, and a reply is complete and valid UTF-8.
func FuzzDirectives(f *testing.F) {
	for _, seed := range []string{
		"", "hello", "[[sandbox history]]", "[[sandbox knowledge]]", "[[sandbox delay=2s]]", "[[sandbox fail=error after=20]]", "[[sandbox fail=panic]]",
		"[[sandbox words=50 pace=10ms finish=length]]", "[[sandbox tokens=-1:9223372036854775807]]",
		`[[sandbox action=a {"b":[[1]]} action=again]] [[sandbox action=b bad]]`, "x [[sandbox action=a finish=length]]",
		"[[sandbox", "[[[[sandbox x]]]]", "[[sand[[sandbox history]]box history]]",
		"My name is Ada, what's my name?", "my my's is are my is", "“my ’s’s is ”\n?",
		strings.Repeat("[[sandbox ", 3000), strings.Repeat("[[sandbox delay=1s]]", 1600),
		strings.Repeat("[", 32_768),
		strings.Repeat("my a is b. ", 3000), strings.Repeat("what is my a? ", 2300),
		strings.Repeat("my ", 10_000), strings.Repeat("🙂", 32_768),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		if !utf8.ValidString(message) {
			t.Skip("messages are valid UTF-8 before they reach a model")
		}
		synctest.Test(t, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil && !strings.Contains(strings.ToLower(message), "fail=panic") {
					t.Errorf("panic: %v", p)
				}
			}()
			// Longer than the longest delay: only a slow pace can reach it.
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			var streamed pieces
			req := llm.Request{Instructions: message, Message: message}
			req.History = []llm.EarlierTurn{{User: message, Assistant: message}}
			req.Knowledge = &llm.Knowledge{
				Passages: []knowledge.Given{{N: 1, Name: message, Passage: knowledge.Passage{Text: message}}},
				Block:    message,
				First:    true,
			}
			req.Actions = []llm.Action{{Name: "a", Parameters: `{"type":"object","required":["b"]}`}}
			reply, err := sandbox.New().Generate(ctx, req, streamed.emit)
			if err != nil {
				if _, ok := errors.AsType[*fault.Error](err); !ok {
					t.Errorf("not a fault: %v", err)
				}
				return
			}
			checkReply(t, reply, streamed)
			if !utf8.ValidString(reply.Text) {
				t.Errorf("reply %q is not valid UTF-8", reply.Text)
			}
		})
	})
}
