package bridge_test

import (
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestRefused: what the bridge does not accept, with the client's own path to it.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	const (
		leaveOut = " is not supported. Leave it out."
		format   = "The reply schema belongs to the agent. Leave the format out: an agent with a schema replies in JSON."
		choice   = `The agent chooses its actions. Use "auto".`
		onlyText = "Only text is accepted."
		unknown  = "This id was not made by this service."
		twoNames = "The request names two sessions. Send one."
		mine     = "resp_b25l.AZqPLn0xfFWcG1uPCm0uQQ" // of the session one
		theirs   = "msg_dHdv.AZqPLn0xfFWcG1uPCm0uQQ"  // of the session two
		call     = "call_b25l.AZqPLn0xfFWcG1uPCm0uQQ.1"
	)
	say := func(fields string) string {
		return `{"messages": [{"role": "user", "content": "Hello"}], ` + fields + `}`
	}
	ask := func(fields string) string { return `{"input": "Hello", ` + fields + `}` }
	list := func(items string) string { return `{"input": [` + items + `]}` }
	for _, c := range []struct{ path, body, code, param, message string }{
		{completions, say(`"n": 2`), "unsupported_parameter", "n", "n" + leaveOut},
		{completions, say(`"stop": ["a"]`), "unsupported_parameter", "stop", "stop" + leaveOut},
		{completions, say(`"logprobs": true`), "unsupported_parameter", "logprobs", "logprobs" + leaveOut},
		{completions, say(`"logit_bias": {"1": 2}`), "unsupported_parameter", "logit_bias", ""},
		{completions, say(`"modalities": ["text", "audio"]`), "unsupported_parameter", "modalities", ""},
		{completions, say(`"audio": {"voice": "x"}`), "unsupported_parameter", "audio", ""},
		{completions, say(`"prediction": {"type": "content"}`), "unsupported_parameter", "prediction", ""},
		{completions, say(`"functions": [{"name": "f"}]`), "unsupported_parameter", "functions", ""},
		{completions, say(`"web_search_options": {}`), "unsupported_parameter", "web_search_options", ""},
		{completions, say(`"parallel_tool_calls": false`), "unsupported_parameter", "parallel_tool_calls", ""},
		{completions, say(`"tools": [{"type": "custom"}]`), "unsupported_parameter", "tools[0]", "tools[0]" + leaveOut},
		{responses, ask(`"background": true`), "unsupported_parameter", "background", ""},
		{responses, ask(`"prompt": {"id": "p"}`), "unsupported_parameter", "prompt", ""},
		{responses, ask(`"max_tool_calls": 3`), "unsupported_parameter", "max_tool_calls", ""},
		{responses, ask(`"truncation": "disabled"`), "unsupported_parameter", "truncation", ""},
		{responses, ask(`"tools": [{"type": "function", "name": "f"}, {"type": "web_search"}]`), "unsupported_parameter", "tools[1]", ""},
		{responses, ask(`"store": false`), "store_required", "store", "Agent Chat stores conversations. Leave store out."},
		{completions, `{"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "image_url"}]}]}`,
			"unsupported_content", "messages[0].content[1]", onlyText},
		{responses, list(`{"role": "user", "content": [{"type": "input_file"}]}`), "unsupported_content", "input[0].content[0]", onlyText},
		{responses, `{"previous_response_id": "` + mine + `", "input": [{"type": "function_call_output", "call_id": "` + call +
			`", "output": [{"type": "input_image"}]}]}`, "unsupported_content", "input[0].output[0]", onlyText},
		{completions, say(`"response_format": {"type": "json_object"}`), "format_not_accepted", "response_format", format},
		{responses, ask(`"text": {"format": {"type": "json_schema"}}`), "format_not_accepted", "text.format", format},
		{completions, say(`"tool_choice": "required"`), "tool_choice_not_accepted", "tool_choice", choice},
		{completions, say(`"tool_choice": {"type": "function"}`), "tool_choice_not_accepted", "tool_choice", choice},
		{responses, ask(`"tool_choice": "none"`), "tool_choice_not_accepted", "tool_choice", choice},
		{responses, ask(`"tool_choice": {"type": "allowed_tools"}`), "tool_choice_not_accepted", "tool_choice", choice},
		{completions, `{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Bye"}]}`,
			"session_missing", "messages[1]", `Earlier messages came without a session. Send X-Session-Id, one value per conversation, or use the model "agent-history".`},
		{responses, ask(`"previous_response_id": "` + mine + `", "conversation": "two"`), "session_conflict", "conversation", twoNames},
		{responses, `{"previous_response_id": "` + mine + `", "input": [{"role": "assistant", "id": "` + theirs + `", "content": "x"}, {"role": "user", "content": "x"}]}`,
			"session_conflict", "input[0].id", twoNames},
		{completions, say(`"session_id": "one", "metadata": {"session_id": "two"}`), "session_conflict", "metadata.session_id", twoNames},
		{completions, say(`"model": "agent-history", "session_id": "one"`), "session_conflict", "session_id", `"agent-history" takes no session_id. Leave it out.`},
		{completions, say(`"session_id": "new"`), "invalid_request", "session_id", ""},
		{responses, ask(`"previous_response_id": "resp_abc"`), "previous_response_not_found", "previous_response_id", unknown},
		{responses, ask(`"previous_response_id": "resp_b2\n5l.AZqPLn0xfFWcG1uPCm0uQQ"`), "previous_response_not_found", "previous_response_id", unknown},
		{responses, list(`{"type": "item_reference", "id": "rs_1"}, {"role": "user", "content": "x"}`), "previous_response_not_found", "input[0].id", unknown},
		{completions, `{"messages": [{"role": "tool", "tool_call_id": "call_1", "content": "x"}]}`,
			"previous_response_not_found", "messages[0].tool_call_id", unknown},
		{completions, `{"model": "agent-history", "messages": [{"role": "assistant", "tool_calls": [{"id": "call_1"}]},
			{"role": "tool", "tool_call_id": "call_1", "content": "x"}]}`, "previous_response_not_found", "messages[1].tool_call_id", unknown},
		{responses, `{"input": "` + strings.Repeat("é", 32_769) + `"}`, "context_length_exceeded", "input",
			"The messages have more than 32,768 characters. Send fewer, or use a session."},
		{responses, `{"model": "agent-history", "input": [{"role": "assistant", "content": "` + strings.Repeat("x", 32_760) +
			`"}, {"role": "user", "content": "Hello"}]}`, "context_length_exceeded", "input", ""},
		{completions, `{"session_id": "one", "messages": [{"role": "assistant", "content": "x"}]}`,
			"no_input", "messages", "Send a user message or results of tools last."},
		{responses, `{"input": []}`, "no_input", "input", ""},
		{responses, list(`{"type": "function_call_output", "call_id": "` + call + `", "output": "x"}, {"role": "user", "content": "x"}`),
			"mixed_input", "input[1]", "Send results or a message, not both."},
		// the service's own, with the client's paths
		{completions, `{"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "x"}]}`,
			"instructions_not_accepted", "messages[0]",
			`This agent takes no system prompt. Leave it out, or ask its owner to declare the variable "instructions".`},
		{responses, ask(`"instructions": "Be brief."`), "instructions_not_accepted", "instructions", ""},
		{responses, ask(`"variables": {"plan": "gold"}`), "invalid_request", "variables.plan", ""},
		{responses, `{"input": " "}`, "invalid_request", "input", ""},
		{responses, ask(`"metadata": {"session_id": "undefined"}`), "invalid_request", "metadata.session_id", ""},
		{responses, ask(`"user": "null"`), "invalid_request", "user", ""},
		// forms
		{responses, `[]`, "invalid_json", "", ""},
		{responses, `{"input": "x", "input": "y"}`, "invalid_json", "", ""},
		{responses, `{"input": "x", "a": {"b": 1, "\u0062": 2}}`, "invalid_json", "", ""},
		{responses, `{"input": ` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "invalid_json", "", ""},
		{responses, `{"input": "x"} {}`, "invalid_json", "", ""},
		{responses, `{"input": [{"role": 7}]}`, "invalid_request", "input[0].role", "input[0].role must be a string."},
		{responses, `{"input": ["Hello"]}`, "invalid_request", "input[0]", "input[0] must be an object."},
		{responses, ask(`"tools": [{"type": "function", "strict": 1}]`), "invalid_request", "tools[0].strict", "tools[0].strict must be true or false."},
		{responses, ask(`"tool_choice": {"type": "function"}`), "invalid_request", "tool_choice.name", "tool_choice.name must be a string."},
		{responses, `{"input": [` + strings.Repeat("{},", 10_000) + `{}]}`, "invalid_request", "input", ""},
		{completions, `{"messages": [` + strings.Repeat(`{"role": "assistant", "tool_calls": [`+strings.Repeat("{},", 4_999)+`{}]},`, 2) +
			`{"role": "user", "content": "x"}]}`, "invalid_request", "messages", "messages has more than 10,000 messages and calls. Send fewer."},
	} {
		a := b.send(c.path, c.body)
		got := a.refused(t, 400, c.code)
		param := ""
		if got.Param != nil {
			param = *got.Param
		}
		if param != c.param || got.Type != "invalid_request_error" || c.message != "" && got.Message != c.message ||
			a.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%.200s: %s, %q, %s", c.body, param, got.Message, got.Type)
		}
	}
	b.expectCharges(0)
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM turns`); n != 0 {
		t.Errorf("%d turns", n)
	}
}

// TestAcceptedDefaults: default values of any field, and fields that have no effect.
func TestAcceptedDefaults(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	for path, c := range map[string]struct{ body, ignored string }{
		completions: {`{"messages": [{"role": "system", "content": ""}, {"role": "user", "content": "Hello"}], "n": 1, "stop": null, "logprobs": false, "logit_bias": {},
			"modalities": ["text"], "audio": null, "functions": [], "parallel_tool_calls": true, "tool_choice": "auto", "response_format": {"type": "text"},
			"tools": [{"type": "function", "function": {"name": "f"}}], "user": "", "stream": false, "stream_options": null,
			"temperature": 0.2, "max_tokens": 5, "next_year": {"a": [1]}, "bad-name": 1, "nothing": null}`, "max_tokens, next_year, temperature"},
		responses: {`{"input": [{"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": [{"type": "input_text", "text": "Hello"}]}],
			"instructions": "", "store": true, "truncation": "auto", "background": false, "previous_response_id": null, "conversation": null, "text": {"verbosity": "low"},
			"tool_choice": "auto", "tools": [], "include": ["reasoning.encrypted_content"], "metadata": {"a": "b"}}`, "include, metadata, store, text"},
	} {
		a := b.send(path, c.body)
		if got := a.ok(t); !strings.Contains(got.text(), "Hello") || a.Header.Get("X-Agentchat-Ignored") != c.ignored {
			t.Errorf("%s: %q, ignored %q", path, got.text(), a.Header.Get("X-Agentchat-Ignored"))
		}
	}
	b.expectCharges(2)
}
