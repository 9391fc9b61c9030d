package openai

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
)

// words are the codes, types and parameters that a log may name. Any other word is the provider's text.
var words = []string{
	"account_deactivated", "billing_hard_limit_reached", "billing_not_active", "content_filter", "content_policy_violation",
	"context_length_exceeded", "insufficient_quota", "invalid_api_key", "invalid_request_error", "internal_server_error",
	"model_not_found", "overloaded_error", "rate_limit_exceeded", "server_error", "service_unavailable",
	"string_above_max_length", "tokens", "unsupported_country_region_territory", "unsupported_parameter", "unsupported_value",
	"exceed_context_size_error", "not_found_error", "authentication_error", "permission_error", "unavailable_error",
}

// parameters are those of a request that a refusal may be about.
var parameters = []string{"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "stream", "stream_options"}

// statuses are those that stand behind a word, for errors in the middle of an answer.
var statuses = map[string]int{
	"server_error": http.StatusInternalServerError, "internal_server_error": http.StatusInternalServerError,
	"overloaded_error": http.StatusServiceUnavailable, "service_unavailable": http.StatusServiceUnavailable,
	"unavailable_error": http.StatusServiceUnavailable, "rate_limit_exceeded": http.StatusTooManyRequests,
	"insufficient_quota": http.StatusTooManyRequests,
}

// errorBody is what is read of an error. Servers put numbers, texts or null into each of these.
type errorBody struct {
	Type  any `json:"type"`
	Code  any `json:"code"`
	Param any `json:"param"`
}

// readError reads OpenAI's error object, the same without its envelope, or anything else, which is ignored.
func readError(body []byte) errorBody {
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	var e errorBody
	if json.Unmarshal(body, &envelope) != nil {
		return e
	}
	if len(envelope.Error) == 0 {
		envelope.Error = body
	}
	if json.Unmarshal(envelope.Error, &e) != nil { // some send a text only
		return errorBody{}
	}
	return e
}

// word returns the more exact of an error's two words that is known; "" for none.
func (e errorBody) word() string {
	for _, value := range []any{e.Code, e.Type} {
		if text, ok := value.(string); ok && slices.Contains(words, text) {
			return text
		}
	}
	return ""
}

// newStatusError reads an answer that is not 200.
func newStatusError(status int, body []byte) *upstream.StatusError {
	return readError(body).statusError(status)
}

// innerError reads an error in the middle of an answer of status 200.
func innerError(body []byte) *upstream.StatusError {
	e := readError(body)
	status := statuses[e.word()]
	if code, ok := e.Code.(float64); ok && status == 0 {
		status = upstream.InnerStatus(int(code))
	}
	return e.statusError(status)
}

func (e errorBody) statusError(status int) *upstream.StatusError {
	refused := &upstream.StatusError{Status: status, Word: e.word()}
	switch {
	case refused.Word == "content_filter" || refused.Word == "content_policy_violation":
		refused.Blocked = status < http.StatusInternalServerError
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		refused.BadKey = true
	}
	if name, ok := e.Param.(string); ok && refused.Word != "" && slices.Contains(parameters, name) {
		refused.Word += " (" + name + ")"
	}
	return refused
}

// The finish reasons as the adapter knows them; see finishReasons.
const (
	finishStop    = "stop"
	finishLength  = "length"
	finishBlocked = "content_filter"
	finishTools   = "tool_calls"
	finishUnknown = "unknown"
)

// finishReasons are OpenAI's, and those by which other servers say the same.
var finishReasons = map[string]string{
	"stop": finishStop, "eos": finishStop, "eos_token": finishStop, "stop_sequence": finishStop, "end_turn": finishStop,
	"length": finishLength, "max_tokens": finishLength, "model_length": finishLength,
	"content_filter": finishBlocked,
	"tool_calls":     finishTools, "function_call": finishTools,
}

// finishReason reads a finish reason; "" for none. Some servers send an empty one with every chunk.
func finishReason(raw json.RawMessage) string {
	var name *string
	switch {
	case len(raw) == 0:
		return ""
	case json.Unmarshal(raw, &name) != nil:
		return finishUnknown
	case name == nil || *name == "":
		return ""
	}
	if reason, ok := finishReasons[*name]; ok {
		return reason
	}
	return finishUnknown
}

// finished says what a reply that ended with a reason is worth.
func finished(reason string, text bool) (llm.FinishReason, error) {
	switch {
	case reason == finishBlocked:
		return "", fault.Wrap(fault.ContentBlocked, errors.New("the reply was blocked: finish reason "+reason))
	case reason != finishStop && reason != finishLength:
		return "", fault.Wrap(fault.ModelError, errors.New("the reply failed: finish reason "+reason))
	case !text:
		return "", fault.Wrap(fault.ModelError, errors.New("the reply has no text: finish reason "+reason))
	case reason == finishLength:
		return llm.FinishLength, nil
	}
	return llm.FinishStop, nil
}
