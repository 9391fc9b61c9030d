package bridge

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// The codes that only the bridge has.
const (
	codeUnsupportedParameter = "unsupported_parameter"
	codeStoreRequired        = "store_required"
	codeUnsupportedContent   = "unsupported_content"
	codeInstructions         = "instructions_not_accepted"
	codeFormat               = "format_not_accepted"
	codeToolChoice           = "tool_choice_not_accepted"
	codeSessionMissing       = "session_missing"
	codeSessionConflict      = "session_conflict"
	codePreviousResponse     = "previous_response_not_found"
	codeContextLength        = "context_length_exceeded"
	codeNoInput              = "no_input"
	codeMixedInput           = "mixed_input"
	codeBranched             = "conversation_branched"
	codeOrigin               = "origin_not_allowed"
	codeBadGateway           = "bad_gateway"
	codeGatewayTimeout       = "gateway_timeout"
	codeGone                 = "client_gone" // this and the next are only in the log
	codeOtherReply           = "other_reply"
)

// unreachedRetry is the Retry-After of a request that did not reach the service, or was over a limit
// of the bridge.
const unreachedRetry = 5 * time.Second

// refusal is an error for the client.
type refusal struct {
	status int
	code   string
	// param is the client's own path to the field at fault; empty for none.
	param, message string
	// retryAfter is sent as Retry-After; empty for none.
	retryAfter string
	// final forbids retries by the client and the bridge that the code would allow.
	final bool
	// cause is why the service has no usable answer, for the log; nil for an error of the service.
	cause error
}

// Error returns the code and the message.
func (r *refusal) Error() string { return r.code + ": " + r.message }

// refuse returns the error of a request that the bridge does not accept.
func refuse(code, param, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, param: param, message: message}
}

// invalid returns the error of a field of the wrong form.
func invalid(param, format string, args ...any) *refusal {
	return refuse(string(fault.InvalidInput), param, param+" "+fmt.Sprintf(format, args...))
}

// badGateway is the error for an unusable answer of the service.
func badGateway(cause string) *refusal {
	return &refusal{status: http.StatusBadGateway, code: codeBadGateway, cause: errors.New(cause),
		message: "Agent Chat sent an answer that cannot be used. Report it to the operator."}
}

func gatewayTimeout() *refusal {
	return &refusal{status: http.StatusGatewayTimeout, code: codeGatewayTimeout,
		message: "The reply was not ready in time. Send the request again later, or ask for less."}
}

// unavailable is the error of a request that cannot be served now.
func unavailable(message string) *refusal {
	return &refusal{status: http.StatusServiceUnavailable, code: string(fault.Unavailable), message: message,
		retryAfter: seconds(unreachedRetry)}
}

func seconds(d time.Duration) string { return strconv.Itoa(httpapi.WholeSeconds(d)) }

// answers has the statuses of faults that arise in the bridge, and of those that end a stream of the
// service, which has only their codes.
var answers = httpapi.Answers{
	httpapi.InvalidJSON:           {Status: http.StatusBadRequest},
	httpapi.InvalidIdempotencyKey: {Status: http.StatusBadRequest},
	codeOrigin:                    {Status: http.StatusForbidden},
	fault.Unauthorized: {
		Status:  http.StatusUnauthorized,
		Message: "The API key is missing or not valid. Send it as: Authorization: Bearer <API_KEY>.",
	},
	fault.InsufficientCredits:    {Status: http.StatusPaymentRequired},
	fault.AccountSuspended:       {Status: http.StatusForbidden},
	fault.ExportPaused:           {Status: http.StatusForbidden},
	fault.UserBlocked:            {Status: http.StatusForbidden},
	fault.NotFound:               {Status: http.StatusNotFound},
	httpapi.MethodNotAllowed:     {Status: http.StatusMethodNotAllowed},
	httpapi.RequestTimeout:       {Status: http.StatusRequestTimeout},
	httpapi.PayloadTooLarge:      {Status: http.StatusRequestEntityTooLarge},
	httpapi.UnsupportedMediaType: {Status: http.StatusUnsupportedMediaType},
	fault.Internal:               {Status: http.StatusInternalServerError},
	fault.Unavailable:            {Status: http.StatusServiceUnavailable, RetryAfter: unreachedRetry},
	fault.SessionBusy:            {Status: http.StatusConflict},
	fault.RequestInProgress:      {Status: http.StatusConflict},
	fault.ConversationDeleted:    {Status: http.StatusGone},
	fault.ContentBlocked:         {Status: http.StatusUnprocessableEntity},
	fault.RateLimited:            {Status: http.StatusTooManyRequests},
	fault.ModelError:             {Status: http.StatusBadGateway},
	fault.InvalidOutput:          {Status: http.StatusBadGateway},
	fault.ModelUnavailable:       {Status: http.StatusServiceUnavailable},
	fault.ModelTimeout:           {Status: http.StatusGatewayTimeout},
}

// asRefusal returns an error of any kind as a refusal. An internal fault of the bridge is final: the
// message may have been sent, with a key that a retry does not have.
func asRefusal(err error) *refusal {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	answer, body := answers.Describe(err)
	out := &refusal{status: answer.Status, code: string(body.Code), message: body.Message, final: body.Code == fault.Internal}
	if answer.RetryAfter > 0 {
		out.retryAfter = seconds(answer.RetryAfter)
	}
	return out
}

// kind returns OpenAI's type of the error.
func (r *refusal) kind() string {
	switch r.status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "insufficient_quota"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "not_found_error"
	case http.StatusConflict:
		return "conflict_error"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	}
	if r.status >= http.StatusInternalServerError {
		return "server_error"
	}
	return "invalid_request_error"
}

// retryable reports whether the same request can succeed later: the column "retry" of
// docs/chat-api.md, and for unknown codes the status.
func (r *refusal) retryable() bool {
	switch r.code {
	case codeBadGateway, codeGatewayTimeout:
		return false
	case string(fault.SessionBusy), string(fault.RequestInProgress):
		return true
	}
	return r.status == http.StatusRequestTimeout || r.status == http.StatusTooManyRequests ||
		r.status >= http.StatusInternalServerError
}

// errorObject is the error in OpenAI's form.
type errorObject struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

// errorBody is the body of every error.
type errorBody struct {
	Error errorObject `json:"error"`
}

func (r *refusal) object() errorObject {
	out := errorObject{Message: r.message, Type: r.kind(), Code: r.code}
	if r.param != "" {
		out.Param = &r.param
	}
	return out
}

// refusalOf returns the service's error. paths names the client's own fields by those of the chat
// API.
func (e serviceError) refusalOf(status int, retryAfter string, paths map[string]string) *refusal {
	field, _ := e.Details["field"].(string)
	out := &refusal{status: status, code: e.Code, message: e.Message, retryAfter: retryAfter, param: field}
	for name, path := range paths {
		if rest, found := strings.CutPrefix(field, name); found && (rest == "" || rest[0] == '.') {
			out.param = path
		}
	}
	if field == instructionsVariable && e.Details["reason"] == string(fault.UnknownField) && out.param != field {
		out.status, out.code = http.StatusBadRequest, codeInstructions
		out.message = "This agent takes no system prompt. Leave it out, or ask its owner to declare the variable \"instructions\"."
	}
	return out
}
