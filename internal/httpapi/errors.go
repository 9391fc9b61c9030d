package httpapi

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
)

// The kinds of fault that exist only in HTTP.
const (
	// InvalidJSON is a body that is not JSON, or that did not arrive completely.
	InvalidJSON fault.Kind = "invalid_json"
	// InvalidIdempotencyKey is an Idempotency-Key header that is malformed or repeated.
	InvalidIdempotencyKey fault.Kind = "invalid_idempotency_key"
	// RequestTimeout is a body that took too long to arrive.
	RequestTimeout fault.Kind = "request_timeout"
	// MethodNotAllowed is a method that the path does not support.
	MethodNotAllowed fault.Kind = "method_not_allowed"
	// PayloadTooLarge is a body over its limit; Details holds limit, in bytes.
	PayloadTooLarge fault.Kind = "payload_too_large"
	// UnsupportedMediaType is a body that is not declared as uncompressed JSON.
	UnsupportedMediaType fault.Kind = "unsupported_media_type"
)

// Answer is an API's response to one kind of fault.
type Answer struct {
	Status int
	// RetryAfter is sent if the fault has no RetryAfter; zero means that the code never has a
	// Retry-After.
	RetryAfter time.Duration
	// Message, if set, replaces the fault's message and details.
	Message string
}

// Answers is an API's table of errors. The public code is the kind's own text. A kind that is not
// in the table is answered as fault.Internal, which must be in it.
type Answers map[fault.Kind]Answer

// Error is the error in a response's body.
type Error struct {
	Code    fault.Kind     `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// ErrorBody is the JSON of every error.
type ErrorBody struct {
	Error     Error  `json:"error"`
	RequestID string `json:"request_id"`
}

// Describe returns the part of err that the client may see. Details is never nil.
func (a Answers) Describe(err error) (Answer, Error) {
	answer, known := a[fault.KindOf(err)]
	if !known {
		err = fault.New(fault.Internal, "")
		answer = a[fault.Internal]
	}
	out := Error{Code: fault.KindOf(err), Message: answer.Message, Details: map[string]any{}}
	if answer.Message != "" {
		return answer, out
	}
	// The kinds above have no standard text.
	if out.Message = fault.ClientMessage(err); out.Message == "" {
		out.Message = http.StatusText(answer.Status) + "."
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return answer, out
	}
	if answer.RetryAfter > 0 && f.RetryAfter > 0 {
		answer.RetryAfter = f.RetryAfter
	}
	maps.Copy(out.Details, f.Details)
	if len(f.Fields) > 0 {
		field := f.Fields[0]
		out.Details["field"], out.Details["reason"] = field.Path, field.Reason
		if field.Limit > 0 {
			out.Details["limit"] = field.Limit
		}
	}
	return answer, out
}

// Describe is Answers.Describe, and records the code. It logs err with its cause if that is an
// internal fault or an unavailable service.
func (ex *Exchange) Describe(answers Answers, err error) (Answer, ErrorBody) {
	answer, object := answers.Describe(err)
	if object.Code == fault.Internal {
		ex.LogFault("internal fault", slog.String("error", err.Error()))
	}
	ex.LogUnavailable(err)
	ex.Access.Code = string(object.Code)
	return answer, ErrorBody{Error: object, RequestID: ex.Access.RequestID}
}

// SendError sends an error that Describe returned.
func (ex *Exchange) SendError(answer Answer, body ErrorBody) {
	if body.Error.Code == fault.Unauthorized {
		ex.W.Header().Set("WWW-Authenticate", "Bearer")
	}
	if answer.RetryAfter > 0 {
		ex.W.Header().Set("Retry-After", strconv.Itoa(WholeSeconds(answer.RetryAfter)))
	}
	ex.SendJSON(answer.Status, append(Encode(body), '\n'))
}

// IsEmptyArray reports whether a JSON value is an array without elements: PHP encodes an object
// without members like this.
func IsEmptyArray(value jsontext.Value) bool {
	return value.Kind() == jsontext.KindBeginArray && len(bytes.TrimSpace(value[1:len(value)-1])) == 0
}

// Encode returns body as JSON. It panics for a body without a JSON form, which is a bug.
func Encode(body any) []byte {
	data, err := json.Marshal(body, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err)
	}
	return data
}

// WholeSeconds rounds a wait for Retry-After (RFC 9110, 10.2.3) up, to at least 1, so that a client
// that obeys it is not early.
func WholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
