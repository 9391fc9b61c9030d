package openai_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// quoting is an error message that quotes the key and the prompt.
const quoting = "Incorrect API key provided: " + testKey + "; see https://example.com/?key=" +
	testKey + " for " + prompt

func TestStatuses(t *testing.T) {
	t.Parallel()
	const failed, away, blocked = fault.ModelError, fault.ModelUnavailable, fault.ContentBlocked
	const invalid, null = `"invalid_request_error"`, "null"
	refuse := func(status int, code, param string) llmtest.Reply {
		return llmtest.OpenAIError(status, invalid, code, param, quoting)
	}
	status := llmtest.Status
	oddType := llmtest.OpenAIError(400, `"`+testKey+`"`, null, null, quoting)
	inside := func(text string) llmtest.Reply { return llmtest.OpenAIChunks(one, text) }
	for name, tc := range map[string]struct {
		reply llmtest.Reply
		kind  fault.Kind
		after time.Duration
		cause string
	}{
		"400":                  {reply: refuse(400, null, null), kind: failed, cause: "400 invalid_request_error"},
		"400 for temperature":  {reply: refuse(400, `"unsupported_value"`, `"temperature"`), kind: failed, cause: "400 unsupported_value (temperature)"},
		"400 for a tool":       {reply: refuse(400, `"invalid_function_parameters"`, `"tools[0].function.parameters"`), kind: failed, cause: "400 invalid_function_parameters (tools)"},
		"400 for tool_choice":  {reply: refuse(400, null, `"tool_choice"`), kind: failed, cause: "400 invalid_request_error (tool_choice)"},
		"400 for an effort":    {reply: refuse(400, null, `"reasoning_effort"`), kind: failed, cause: "400 invalid_request_error (reasoning_effort)"},
		"400 for a format":     {reply: refuse(400, null, `"response_format.json_schema"`), kind: failed, cause: "400 invalid_request_error (response_format)"},
		"400, odd words":       {reply: refuse(400, `"`+testKey+`"`, `"`+prompt+`"`), kind: failed, cause: "400 invalid_request_error"},
		"400, an odd type":     {reply: oddType, kind: failed, cause: "answered 400"},
		"400, words of a kind": {reply: refuse(400, "400", "[1]"), kind: failed, cause: "answered 400"},
		"400, too long":        {reply: refuse(400, `"context_length_exceeded"`, `"messages"`), kind: failed, cause: "context_length_exceeded"},
		"400, a filter":        {reply: refuse(400, `"content_filter"`, null), kind: blocked},
		"400, a policy":        {reply: refuse(400, `"content_policy_violation"`, null), kind: blocked},
		"401":                  {reply: refuse(401, `"invalid_api_key"`, null), kind: away, cause: "401 invalid_api_key, the API key was refused"},
		"403":                  {reply: refuse(403, `"unsupported_country_region_territory"`, null), kind: away, cause: "the API key was refused"},
		"404, no such model":   {reply: refuse(404, `"model_not_found"`, `"model"`), kind: failed, cause: "404 model_not_found (model)"},
		"404 of Ollama":        {reply: llmtest.StatusBody(404, `{"error":{"message":"`+prompt+`","type":"api_error","param":null,"code":null}}`), kind: failed},
		"422":                  {reply: llmtest.StatusBody(422, `{"detail":[{"msg":"`+prompt+`"}]}`), kind: failed, cause: "422"},
		"429":                  {reply: status(429), kind: away, cause: "429 rate_limit_exceeded"},
		"429, wait":            {reply: status(429, "Retry-After", "17"), kind: away, after: 17 * time.Second},
		"429, no quota":        {reply: refuse(429, `"insufficient_quota"`, null), kind: away, cause: "429 insufficient_quota"},
		"500":                  {reply: status(500), kind: failed, cause: "500 server_error"},
		"503 while loading":    {reply: llmtest.StatusBody(503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`), kind: away, cause: "503 unavailable_error"},
		"503, wait":            {reply: status(503, "Retry-After", "30"), kind: away, after: 30 * time.Second},
		"529 with its type": {
			reply: llmtest.StatusBody(529, `{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}`),
			kind:  away, cause: "529 overloaded_error",
		},
		"529 inside": {
			reply: inside(`{"error":{"message":"` + quoting + `","code":529}}`),
			kind:  away, cause: "529",
		},
		"an error inside":      {reply: llmtest.FailAfter("half"), kind: failed, cause: "500 server_error"},
		"busy inside":          {reply: inside(`{"error":{"message":"` + quoting + `","type":"overloaded_error"}}`), kind: away, cause: "503 overloaded_error"},
		"a code inside":        {reply: inside(`{"error":{"message":"` + quoting + `","code":502}}`), kind: away, cause: "502"},
		"a prompt inside":      {reply: inside(`{"error":{"message":"` + quoting + `","type":"invalid_request_error","code":"context_length_exceeded"}}`), kind: failed, cause: "context_length_exceeded"},
		"a filter inside":      {reply: inside(`{"error":{"message":"` + quoting + `","code":"content_filter"}}`), kind: blocked},
		"a text inside":        {reply: inside(`{"error":"` + quoting + `"}`), kind: failed, cause: "answered with an error"},
		"an odd code inside":   {reply: inside(`{"error":{"code":7}}`), kind: failed, cause: "answered with an error"},
		"without its envelope": {reply: inside(`{"object":"error","message":"` + quoting + `","type":"BadRequestError","code":400}`), kind: failed, cause: "400"},
		"an event of error":    {reply: llmtest.Body("text/event-stream", "event: error\ndata: {\"message\":\""+quoting+"\"}\n\n"), kind: failed, cause: "answered with an error"},
		"whole":                {reply: llmtest.Body("application/json", `{"error":{"message":"`+quoting+`","code":429}}`), kind: away, cause: "429"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Always(tc.reply)
			why := map[fault.Kind]llm.Cause{
				failed:  llm.BadAnswer,
				away:    llm.Away,
				blocked: llm.Blocked,
			}[tc.kind]
			if strings.Contains(tc.cause, "key was refused") {
				why = llm.KeyRefused
			}
			reply, err := ask(t, newModel(t, s), request())
			if !fault.Is(err, tc.kind) || reply.Text != "" {
				t.Fatalf("reply %+v, error %v, want %s", reply, err, tc.kind)
			}
			if got := llm.CauseOf(err); got != why {
				t.Errorf("cause %s, want %s", got, why)
			}
			if f, ok := errors.AsType[*fault.Error](err); !ok || f.RetryAfter != tc.after ||
				f.Message != "" {
				t.Errorf("retry after %v, want %v, message %q", f.RetryAfter, tc.after, f.Message)
			}
			if !strings.Contains(err.Error(), tc.cause) || !strings.Contains(err.Error(), "openai: ") {
				t.Errorf("error %v, expected one with %q", err, tc.cause)
			}
		})
	}
}
