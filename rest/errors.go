package rest

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"agentchat/internal/fault"
)

// The kinds that only this edge has: they are about HTTP and JSON, which the core knows nothing of.
const (
	invalidJSON           fault.Kind = "invalid_json"
	invalidIdempotencyKey fault.Kind = "invalid_idempotency_key"
	invalidAuthorization  fault.Kind = "invalid_authorization"
	requestTimeout        fault.Kind = "request_timeout"
	methodIsNotAllowed    fault.Kind = "method_not_allowed"
	payloadTooLarge       fault.Kind = "payload_too_large"
	unsupportedMediaType  fault.Kind = "unsupported_media_type"
)

// answer is how a kind of fault is answered. The public code is the kind's own text.
type answer struct {
	status int
	// retryAfter is sent when the fault brings no better one; zero means that the code carries no Retry-After.
	retryAfter time.Duration
}

// answers is the one table from kind of fault to HTTP. A kind that is not in it is answered as fault.Internal.
var answers = map[fault.Kind]answer{
	invalidJSON:                {status: http.StatusBadRequest},
	fault.InvalidInput:         {status: http.StatusBadRequest},
	invalidIdempotencyKey:      {status: http.StatusBadRequest},
	invalidAuthorization:       {status: http.StatusBadRequest},
	fault.Unauthorized:         {status: http.StatusUnauthorized},
	fault.InsufficientCredits:  {status: http.StatusPaymentRequired},
	fault.NotFound:             {status: http.StatusNotFound},
	methodIsNotAllowed:         {status: http.StatusMethodNotAllowed},
	requestTimeout:             {status: http.StatusRequestTimeout},
	fault.Conflict:             {status: http.StatusConflict},
	fault.AgentNotReady:        {status: http.StatusConflict},
	fault.SessionBusy:          {status: http.StatusConflict, retryAfter: 5 * time.Second},
	fault.RequestInProgress:    {status: http.StatusConflict, retryAfter: 2 * time.Second},
	fault.ConversationDeleted:  {status: http.StatusGone},
	payloadTooLarge:            {status: http.StatusRequestEntityTooLarge},
	unsupportedMediaType:       {status: http.StatusUnsupportedMediaType},
	fault.IdempotencyKeyReused: {status: http.StatusUnprocessableEntity},
	fault.ContentBlocked:       {status: http.StatusUnprocessableEntity},
	fault.RateLimited:          {status: http.StatusTooManyRequests, retryAfter: 2 * time.Second},
	fault.Internal:             {status: http.StatusInternalServerError},
	fault.ModelError:           {status: http.StatusBadGateway},
	fault.ModelUnavailable:     {status: http.StatusServiceUnavailable, retryAfter: 10 * time.Second},
	fault.Unavailable:          {status: http.StatusServiceUnavailable, retryAfter: 2 * time.Second},
	fault.ModelTimeout:         {status: http.StatusGatewayTimeout},
}

// unauthorizedMessage is the same for every 401, so that nobody learns from it what is wrong with a key.
const unauthorizedMessage = "The API key is missing or not valid. Send it as: Authorization: Bearer <API_KEY>."

// errorBody is the JSON of every error.
type errorBody struct {
	Error     errorObject `json:"error"`
	RequestID string      `json:"request_id"`
}

type errorObject struct {
	Code    fault.Kind     `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// describe turns err into what the client may see of it.
func describe(err error) (answer, errorObject) {
	kind := fault.KindOf(err)
	row, known := answers[kind]
	if !known {
		return answers[fault.Internal], errorObject{
			Code:    fault.Internal,
			Message: fault.ClientMessage(fault.New(fault.Internal, "")),
			Details: map[string]any{},
		}
	}
	if kind == fault.Unauthorized {
		return row, errorObject{Code: kind, Message: unauthorizedMessage, Details: map[string]any{}}
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && row.retryAfter > 0 && f.RetryAfter > 0 {
		row.retryAfter = f.RetryAfter
	}
	message := fault.ClientMessage(err)
	if message == "" { // a kind of this edge, which fault has no standard text for
		message = http.StatusText(row.status) + "."
	}
	return row, errorObject{Code: kind, Message: message, Details: details(err)}
}

// details are the fault's own, with the first field at fault. Never nil: the API always sends an object.
func details(err error) map[string]any {
	out := map[string]any{}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return out
	}
	for name, value := range f.Details {
		out[name] = value
	}
	if len(f.Fields) > 0 {
		field := f.Fields[0]
		out["field"], out["reason"] = field.Path, field.Reason
		if field.Limit > 0 {
			out["limit"] = field.Limit
		}
	}
	return out
}

// wholeSeconds writes a wait for Retry-After (RFC 9110, 10.2.3): rounded up, and at least 1, so that a caller that does as
// it is told is never early.
func wholeSeconds(d time.Duration) string {
	return strconv.FormatInt(max(1, int64(math.Ceil(d.Seconds()))), 10)
}
