package gemini

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/generative-ai-go/genai"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
)

// statusWords are the words that Google uses for a status (google.rpc.Code). Any other word is the provider's text.
var statusWords = []string{
	"CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"UNAUTHENTICATED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
	"UNAVAILABLE", "DATA_LOSS",
}

// errorBody is Google's error (https://google.aip.dev/193). Fields of another type than expected make it unreadable, which
// costs the detail and nothing else.
type errorBody struct {
	Code    int    `json:"code"`
	Status  string `json:"status"`
	Details []struct {
		Reason     string `json:"reason"`     // of google.rpc.ErrorInfo
		RetryDelay string `json:"retryDelay"` // of google.rpc.RetryInfo
	} `json:"details"`
}

// newStatusError reads an error body: Google's object, the array of one such object that a streaming method answers with,
// or anything else, which is ignored.
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
	e := &upstream.StatusError{Status: status, BadKey: status == http.StatusUnauthorized || status == http.StatusForbidden}
	if slices.Contains(statusWords, b.Status) {
		e.Word = b.Status
	}
	for _, detail := range b.Details {
		if detail.Reason == "API_KEY_INVALID" {
			e.BadKey = true
		}
		if delay, err := time.ParseDuration(detail.RetryDelay); err == nil && delay > 0 && delay <= upstream.LongestRetryAfter {
			e.RetryAfter = delay
		}
	}
	return e
}

// blocked makes a fault of what the library itself finds blocked, and leaves other errors as they are.
func blocked(err error) error {
	found, ok := errors.AsType[*genai.BlockedError](err)
	if !ok {
		return err
	}
	if found.Candidate != nil {
		return fault.Wrap(fault.ContentBlocked, errors.New("the reply was blocked: "+found.Candidate.FinishReason.String()))
	}
	return fault.Wrap(fault.ContentBlocked, errors.New("the message was blocked: "+found.PromptFeedback.BlockReason.String()))
}

// finished says what a reply that ended with a reason is worth. The library itself refuses the reasons SAFETY and RECITATION
// and knows no name for the later ones.
func finished(reason genai.FinishReason, text bool) (llm.FinishReason, error) {
	switch reason {
	case finishBlocklist, finishProhibited, finishSPII, finishImageSafety:
		return "", fault.Wrap(fault.ContentBlocked, fmt.Errorf("the reply was blocked: finish reason %d", reason))
	case genai.FinishReasonStop, genai.FinishReasonMaxTokens:
		if !text {
			return "", fault.Wrap(fault.ModelError, fmt.Errorf("the reply has no text: finish reason %d", reason))
		}
	case genai.FinishReasonUnspecified:
		return "", fault.Wrap(fault.ModelError, errors.New("the reply has no end: no candidate with a finish reason"))
	default:
		return "", fault.Wrap(fault.ModelError, fmt.Errorf("the reply failed: finish reason %d", reason))
	}
	if reason == genai.FinishReasonMaxTokens {
		return llm.FinishLength, nil
	}
	return llm.FinishStop, nil
}
