package gemini

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/generative-ai-go/genai"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// What can be wrong with an answer of status 200. The texts are ours alone: what a provider sends may quote the prompt.
var (
	errNotReply = errors.New("the answer is not Gemini's JSON")
	errTooLarge = fmt.Errorf("the answer is over %d bytes", maxReply)
)

// statusError is a refusal by the provider. It keeps the status, Google's word for it and the wait asked for, and nothing of
// the provider's text.
type statusError struct {
	status     int
	word       string        // one of statusWords, or ""
	badKey     bool          // the key is what was refused
	retryAfter time.Duration // 0 when none was asked for
}

func (e *statusError) Error() string {
	text := "Gemini answered " + strconv.Itoa(e.status)
	if e.word != "" {
		text += " " + e.word
	}
	if e.badKey {
		text += ", the API key was refused; set a valid one"
	}
	return text
}

// kind returns the fault that a status means. A refused key is the operator's to mend and the caller can only come back
// later, so the model counts as away.
func (e *statusError) kind() fault.Kind {
	switch {
	case e.badKey:
		return fault.ModelUnavailable
	case e.status == http.StatusTooManyRequests, e.status == http.StatusBadGateway,
		e.status == http.StatusServiceUnavailable, e.status == http.StatusGatewayTimeout:
		return fault.ModelUnavailable
	}
	return fault.ModelError
}

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
func newStatusError(status int, header http.Header, body []byte) *statusError {
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
	e := one.Error.statusError(status)
	if after := retryAfter(header.Get("Retry-After"), time.Now()); after > 0 {
		e.retryAfter = after
	}
	return e
}

func (b errorBody) statusError(status int) *statusError {
	e := &statusError{status: status, badKey: status == http.StatusUnauthorized || status == http.StatusForbidden}
	if slices.Contains(statusWords, b.Status) {
		e.word = b.Status
	}
	for _, detail := range b.Details {
		if detail.Reason == "API_KEY_INVALID" {
			e.badKey = true
		}
		if delay, err := time.ParseDuration(detail.RetryDelay); err == nil && delay > 0 && delay <= longestRetryAfter {
			e.retryAfter = delay
		}
	}
	return e
}

// longestRetryAfter is the longest wait that is passed on; what is longer is no help to a caller.
const longestRetryAfter = time.Hour

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. 0 when it is absent or not sane.
func retryAfter(value string, now time.Time) time.Duration {
	var wait time.Duration
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	}
	if wait < 0 || wait > longestRetryAfter {
		return 0
	}
	return wait
}

// faultOf gives an error of the library or the transport its kind, and a cause that holds neither key nor provider text.
func (m *Model) faultOf(ctx context.Context, err error) error {
	wrap := func(kind fault.Kind, text string) *fault.Error {
		return fault.Wrap(kind, errors.New(redact(m.key, text)))
	}
	if refused, ok := errors.AsType[*statusError](err); ok {
		f := wrap(refused.kind(), refused.Error())
		if f.Kind == fault.ModelUnavailable {
			f.RetryAfter = refused.retryAfter
		}
		return f
	}
	if blocked, ok := errors.AsType[*genai.BlockedError](err); ok {
		if blocked.Candidate != nil {
			return wrap(fault.ContentBlocked, "the reply was blocked: "+blocked.Candidate.FinishReason.String())
		}
		return wrap(fault.ContentBlocked, "the message was blocked: "+blocked.PromptFeedback.BlockReason.String())
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return wrap(fault.ModelTimeout, "Gemini did not answer before the deadline")
	case ctx.Err() != nil:
		return wrap(fault.ModelUnavailable, "the call was given up")
	case errors.Is(err, errTooLarge):
		return wrap(fault.ModelError, errTooLarge.Error())
	case errors.Is(err, errNotReply):
		return wrap(fault.ModelError, errNotReply.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wrap(fault.ModelError, "the answer ended too early")
	case isDial(err):
		return wrap(fault.ModelUnavailable, "Gemini cannot be reached: "+innermost(err))
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return wrap(fault.ModelUnavailable, "Gemini's certificate is not accepted: "+innermost(err))
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return wrap(fault.ModelTimeout, "Gemini did not begin to answer in time")
	}
	return wrap(fault.ModelError, fmt.Sprintf("the connection broke or the answer could not be read (%T)", unwrapURL(err)))
}

// isDial reports whether no connection was made, so that the request cannot have reached anybody.
func isDial(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "dial" || op.Op == "proxyconnect")
}

// unwrapURL takes off the layer in which net/http puts the address.
func unwrapURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// innermost returns the text of a failure to connect, which is the operating system's or the resolver's, not the provider's.
func innermost(err error) string {
	text := []rune(unwrapURL(err).Error())
	return string(text[:min(len(text), 200)])
}

var keyParameter = regexp.MustCompile(`(?i)\b(key=)[^&\s"']+`)

// redact takes the key out of a text, in whichever form.
func redact(key, text string) string {
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
		if form != "" {
			text = strings.ReplaceAll(text, form, "REDACTED")
		}
	}
	return keyParameter.ReplaceAllString(text, "${1}REDACTED")
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
