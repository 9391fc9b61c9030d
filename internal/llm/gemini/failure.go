package gemini

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"agentchat/internal/llm/upstream"
)

// statusWords are Google's status names (google.rpc.Code), which may be logged. Any other word
// could be the provider's text.
var statusWords = []string{
	"CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"UNAUTHENTICATED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
	"UNAVAILABLE", "DATA_LOSS",
}

// errorBody is Google's error (https://google.aip.dev/193). If a field has an unexpected type, only
// the details are lost.
type errorBody struct {
	Code    int    `json:"code"`
	Status  string `json:"status"`
	Message any    `json:"message"`
	Details []struct {
		Reason     string `json:"reason"`     // of google.rpc.ErrorInfo
		RetryDelay string `json:"retryDelay"` // of google.rpc.RetryInfo
	} `json:"details"`
}

// newStatusError parses the body of an error: Google's object, or an array of one such object,
// which streaming methods send. It ignores anything else.
func newStatusError(status int, body []byte) *upstream.StatusError {
	type envelope struct {
		Error errorBody `json:"error"`
	}
	var one envelope
	if json.Unmarshal(body, &one) != nil {
		one = envelope{}
		var list []envelope
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			one = list[0]
		}
	}
	return one.Error.statusError(status)
}

func (b errorBody) statusError(status int) *upstream.StatusError {
	e := &upstream.StatusError{
		Status: status,
		BadKey: status == http.StatusUnauthorized || status == http.StatusForbidden,
	}
	e.Detail, _ = b.Message.(string)
	if slices.Contains(statusWords, b.Status) {
		e.Word = b.Status
	}
	for _, detail := range b.Details {
		if detail.Reason == "API_KEY_INVALID" {
			e.BadKey = true
		}
		if delay, err := time.ParseDuration(detail.RetryDelay); err == nil && delay > 0 &&
			delay <= upstream.LongestRetryAfter {
			e.RetryAfter = delay
		}
	}
	return e
}
