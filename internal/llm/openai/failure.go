package openai

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
)

// words are the error codes and types that may be logged, each with the status that it means in the
// middle of an answer, 0 for none. Any other word could be the provider's own text.
var words = map[string]int{
	"server_error": 500, "internal_server_error": 500, "overloaded_error": 503, "service_unavailable": 503,
	"unavailable_error": 503, "rate_limit_exceeded": 429, "insufficient_quota": 429,

	"account_deactivated": 0, "billing_hard_limit_reached": 0, "billing_not_active": 0, "content_filter": 0,
	"content_policy_violation": 0, "context_length_exceeded": 0, "invalid_api_key": 0, "invalid_request_error": 0,
	"model_not_found": 0, "string_above_max_length": 0, "tokens": 0, "unsupported_country_region_territory": 0,
	"unsupported_parameter": 0, "unsupported_value": 0, "exceed_context_size_error": 0, "not_found_error": 0,
	"authentication_error": 0, "permission_error": 0, "invalid_function_parameters": 0,
}

// parameters are the request parameters that may be logged.
var parameters = []string{"model", "messages", "temperature", "max_tokens", "max_completion_tokens",
	"stream", "stream_options",
	"response_format", "tools", "tool_choice", reasoningEffort}

// reasoningEffort is the parameter that some models require to be "none" for requests with tools.
const reasoningEffort = "reasoning_effort"

// errorBody is an error object. Each field may be a number, a string or null, depending on the
// server.
type errorBody struct {
	Type    any `json:"type"`
	Code    any `json:"code"`
	Param   any `json:"param"`
	Message any `json:"message"`
}

// readError reads OpenAI's error object, with or without its envelope. It ignores anything else.
func readError(body []byte) (e errorBody) {
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &envelope)
	if envelope.Error == nil {
		envelope.Error = body
	}
	if json.Unmarshal(envelope.Error, &e) != nil { // some servers send only a text
		_ = json.Unmarshal(envelope.Error, &e.Message)
	}
	return e
}

// word returns the code of an error if it is known, else the type if that is known, else "".
func (e errorBody) word() string {
	for _, value := range []any{e.Code, e.Type} {
		if text, ok := value.(string); ok {
			if _, known := words[text]; known {
				return text
			}
		}
	}
	return ""
}

// newStatusError reads an error. status is 0 for an error in the middle of an answer.
func newStatusError(status int, body []byte) *upstream.StatusError {
	e := readError(body)
	word := e.word()
	if status == 0 {
		status = words[word]
	}
	if code, ok := e.Code.(float64); ok && status == 0 {
		status = upstream.InnerStatus(int(code))
	}
	message, _ := e.Message.(string)
	refused := &upstream.StatusError{Status: status, Word: word, Detail: message}
	switch {
	case word == "content_filter" || word == "content_policy_violation":
		refused.Blocked = status < http.StatusInternalServerError
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		refused.BadKey = true
	}
	name, _ := e.Param.(string)
	if end := strings.IndexAny(name, ".["); end > 0 { // as in tools[0].function.parameters
		name = name[:end]
	}
	switch {
	case slices.Contains(parameters, name):
		refused.Parameter = name
	case strings.Contains(message, reasoningEffort):
		refused.Parameter = reasoningEffort
	}
	return refused
}

// blockedReason is the finish reason of a reply that the safety rules cut off.
const blockedReason = "content_filter"

// finishOf returns the finish reason of a reply, and its name in the log, which contains no text of
// the provider. Servers have many names for a normal end, so every unknown reason counts as one.
func finishOf(reason string) (finish llm.FinishReason, word string) {
	switch reason {
	case "length", "max_tokens", "model_length":
		return llm.FinishLength, reason
	case blockedReason:
		return llm.FinishBlocked, reason
	case "stop", "tool_calls", "function_call":
		return llm.FinishStop, reason
	case "":
		return llm.FinishStop, "none"
	}
	return llm.FinishStop, "another one"
}
