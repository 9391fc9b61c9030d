package bridge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestEchoedIDs: clients that send earlier items or their ids need no setting for one session.
func TestEchoedIDs(t *testing.T) {
	t.Parallel()
	for name, earlier := range map[string]string{
		"items":      `{"role": "user", "content": "x"}, {"type": "message", "role": "assistant", "id": "%s", "status": "completed", "content": [{"type": "output_text", "text": "x"}]}`,
		"references": `{"role": "user", "content": "x"}, {"type": "item_reference", "id": "%s"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, storetest.Options{}, nil)
			last := b.send(responses, `{"input": [{"role": "user", "content": "My name is Ada."}]}`).ok(t)
			session := last.AgentChat.SessionID
			for turn := 2; turn <= 3; turn++ {
				last = b.send(responses, `{"input": [`+fmt.Sprintf(earlier, last.Output[0].ID)+`, {"role": "user", "content": "What is my name?"}]}`).ok(t)
				if last.AgentChat.SessionID != session || !strings.Contains(last.text(), fmt.Sprint("turn ", turn)) || !strings.Contains(last.text(), "Ada") {
					t.Errorf("turn %d: %+v", turn, last)
				}
			}
		})
	}
}

// TestToolLoop: a call and its result in a history of items, without a setting.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	first := b.send(responses, `{"instructions": "Be brief.", "input": [{"role": "user", "content": "`+askWeather+` [[sandbox action=get_weather]]"}]}`).ok(t)
	calls := first.calls(t, 2)
	one, two := calls[0], calls[1]
	body := func(result string) string {
		return fmt.Sprintf(`{"instructions": "Be brief.", "input": [{"role": "user", "content": "x"},
			{"type": "function_call", "id": %q, "call_id": %q, "name": "get_weather", "arguments": "{}"},
			{"type": "function_call_output", "call_id": %[2]q, "output": "[1]"},
			{"type": "function_call", "id": %q, "call_id": %q, "name": "get_weather", "arguments": "{}"},
			{"type": "function_call_output", "call_id": %[4]q, "output": %q}]}`, one.ID, one.CallID, two.ID, two.CallID, result)
	}
	done := b.send(responses, body("rain")).ok(t)
	if done.AgentChat.SessionID != first.AgentChat.SessionID || !strings.Contains(done.text(), "returned: [1]") || !strings.Contains(done.text(), `returned: "rain"`) {
		t.Errorf("%+v", done)
	}
	b.send(responses, body("snow")).refused(t, 409, "conversation_branched")
	b.expectCharges(2)
}

// TestNamedSessions: the headers and fields of rule 3, and sessions that the bridge opens.
func TestNamedSessions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	say := func(fields string, headers ...string) got {
		return b.send(completions, `{"messages": [{"role": "user", "content": "Hello"}]`+fields+`}`, headers...).ok(t)
	}
	for i, c := range []struct{ fields, header string }{
		{`, "session_id": "one"`, ""}, {`, "metadata": {"session_id": "one"}`, ""}, {`, "conversation": {"id": "one"}`, ""},
		{"", "X-Session-Id: one"}, {`, "session_id": "one"`, "X-Session-Id: one"},
	} {
		if g := say(c.fields, c.header); g.AgentChat.SessionID != "one" || !strings.Contains(g.text(), fmt.Sprint("turn ", i+1)) {
			t.Errorf("%+v: %+v", c, g)
		}
	}
	b.bridge, _ = b.serveBridge(b.service)
	if g := say(`, "session_id": "one"`); !strings.Contains(g.text(), "turn 6") {
		t.Errorf("another bridge: %+v", g)
	}
	ada, bob := say(`, "user": "ada"`), say(`, "user": "bob"`)
	if ada.AgentChat.SessionID == bob.AgentChat.SessionID || !strings.HasPrefix(ada.AgentChat.SessionID, "br_") || len(ada.AgentChat.SessionID) != 25 {
		t.Errorf("%+v, %+v", ada, bob)
	}
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM conversations WHERE user_id IN ('ada', 'bob')`); n != 2 {
		t.Errorf("%d conversations of the end users", n)
	}
}

// TestOpenWebUI: one session per chat; regenerating returns the stored reply. The headers are written from
// get_headers_and_cookies of its routers/openai.py at commit 004a45f5.
func TestOpenWebUI(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	headers := []string{"X-OpenWebUI-User-Name: Ada%20L", "X-OpenWebUI-User-Id: 8f1c5f0e-6a55-4c7e-9d0b-2b1f0c0b7a11",
		"X-OpenWebUI-User-Email: ada@example.com", "X-OpenWebUI-User-Role: user", "X-OpenWebUI-Chat-Id: 0b6d1a52-62d7-4d1f-8b86-5a2f6b1f7c33"}
	first := b.send(completions, `{"stream": false, "model": "agent", "messages": [{"role": "user", "content": "Hello"}]}`, headers...).ok(t)
	again := `{"stream": false, "model": "agent", "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}, {"role": "user", "content": "And now?"}]}`
	second := b.send(completions, again, headers...)
	regenerated := b.send(completions, again, headers...)
	if g, r := second.ok(t), regenerated.ok(t); g.AgentChat.SessionID != first.AgentChat.SessionID || !strings.Contains(g.text(), "turn 2") ||
		r.text() != g.text() || r.ID != g.ID || regenerated.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s, then %s", second.text, regenerated.text)
	}
	b.expectCharges(2)
	temporary := slices.Concat(headers[:4], []string{"X-OpenWebUI-Chat-Id: local:Xh3kq0Nw2VbZAAAB"})
	one := b.send(completions, `{"messages": [{"role": "user", "content": "Hello"}]}`, temporary...).ok(t)
	two := b.send(completions, `{"messages": [{"role": "user", "content": "Hello"}]}`, temporary...).ok(t)
	if one.AgentChat.SessionID == two.AgentChat.SessionID {
		t.Errorf("temporary chats share %s", one.AgentChat.SessionID)
	}
	b.send(completions, again, temporary...).refused(t, 400, "session_missing")
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM conversations WHERE session_id = '0b6d1a52-62d7-4d1f-8b86-5a2f6b1f7c33' AND user_id = '8f1c5f0e-6a55-4c7e-9d0b-2b1f0c0b7a11'`); n != 1 {
		t.Errorf("%d conversations", n)
	}
}

// TestLibreChat: one session per conversation, from the header that docs/bridge.md sets. The requests are
// written from danny-avila/LibreChat at commit 00ad58df: request.js of its agents' controllers gives a new
// conversation an id before its first message, so "new" is never sent.
func TestLibreChat(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	const chat = "X-Session-Id: 5d1c1b0e-3f6a-4b8f-9c55-6f0f6d1d9a42"
	request := func(messages string) string {
		return `{"model": "agent", "user": "66f1a2b3c4d5e6f708192a3b", "stream": true, "messages": [` + messages + `]}`
	}
	const hello = `{"role": "user", "content": "My name is Ada."}`
	b.send(completions, request(hello), chat)
	second := b.send(completions, request(hello+`, {"role": "assistant", "content": "Hello Ada."}, {"role": "user", "content": "And now?"}`), chat)
	if !strings.Contains(second.text, `"session_id":"5d1c1b0e-3f6a-4b8f-9c55-6f0f6d1d9a42"`) || !strings.HasSuffix(second.text, "data: [DONE]\n\n") {
		t.Errorf("%s", second.text)
	}
	b.expectCharges(2)
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM conversations WHERE user_id = '66f1a2b3c4d5e6f708192a3b'`); n != 1 {
		t.Errorf("%d conversations", n)
	}
	b.send(completions, request(hello), "X-Session-Id: new").refused(t, 400, "invalid_request")
}

// TestHistory: a conversation without a session, for the model agent-history.
func TestHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	const messages = `{"role": "system", "content": "Be brief."}, {"role": "user", "content": "My name is Ada."}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_x"}]},
		{"role": "tool", "tool_call_id": "call_x", "content": "secret"}, {"role": "assistant", "content": "Hello Ada."}, {"role": "user", "content": "[[sandbox history]]"}`
	b.send(completions, `{"messages": [`+messages+`]}`).refused(t, 400, "session_missing")
	g := b.send(completions, `{"model": "agent-history", "messages": [`+messages+`]}`, "X-Session-Id: ignored").ok(t)
	var seen struct {
		Instructions string
		Turns        []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(g.text()), &seen); err != nil || seen.Instructions != "Be brief." || len(seen.Turns) != 1 ||
		seen.Turns[0].Text != "User: My name is Ada.\n\nAgent: Hello Ada.\n\nUser: [[sandbox history]]" {
		t.Errorf("%s (%v)", g.text(), err)
	}
	asked := b.send(responses, `{"model": "agent-history", "input": "`+askWeather+`"}`).ok(t)
	call := asked.calls(t, 1)[0].CallID
	done := b.send(responses, `{"model": "agent-history", "input": [{"role": "user", "content": "x"}, {"type": "function_call", "call_id": "`+call+
		`"}, {"type": "function_call_output", "call_id": "`+call+`", "output": "sunny"}]}`).ok(t)
	next := b.send(responses, `{"model": "agent-history", "previous_response_id": "`+done.ID+`", "input": "And now?"}`).ok(t)
	if !strings.Contains(done.text(), "sunny") || next.AgentChat.SessionID != asked.AgentChat.SessionID || !strings.Contains(next.text(), "turn 3") {
		t.Errorf("%+v, %+v", done, next)
	}
}
