package rest

import (
	"net/http"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// invalidAuthorization is a repeated Authorization header, or an API key in the URL.
const invalidAuthorization fault.Kind = "invalid_authorization"

// answers is the API's table of errors.
var answers = httpapi.Answers{
	httpapi.InvalidJSON:           {Status: http.StatusBadRequest},
	fault.InvalidInput:            {Status: http.StatusBadRequest},
	httpapi.InvalidIdempotencyKey: {Status: http.StatusBadRequest},
	invalidAuthorization:          {Status: http.StatusBadRequest},
	// The same message for every 401, so that it does not reveal what is wrong with a key.
	fault.Unauthorized: {
		Status:  http.StatusUnauthorized,
		Message: "The API key is missing or not valid. Send it as: Authorization: Bearer <API_KEY>.",
	},
	fault.InsufficientCredits:    {Status: http.StatusPaymentRequired},
	fault.LimitReached:           {Status: http.StatusPaymentRequired},
	fault.AccountSuspended:       {Status: http.StatusForbidden},
	fault.ExportPaused:           {Status: http.StatusForbidden},
	fault.UserBlocked:            {Status: http.StatusForbidden},
	fault.NotFound:               {Status: http.StatusNotFound},
	httpapi.MethodNotAllowed:     {Status: http.StatusMethodNotAllowed},
	httpapi.RequestTimeout:       {Status: http.StatusRequestTimeout},
	fault.AgentNotReady:          {Status: http.StatusConflict},
	fault.ActionMismatch:         {Status: http.StatusConflict},
	fault.SessionBusy:            {Status: http.StatusConflict, RetryAfter: 5 * time.Second},
	fault.RequestInProgress:      {Status: http.StatusConflict, RetryAfter: 5 * time.Second},
	fault.ConversationDeleted:    {Status: http.StatusGone},
	httpapi.PayloadTooLarge:      {Status: http.StatusRequestEntityTooLarge},
	httpapi.UnsupportedMediaType: {Status: http.StatusUnsupportedMediaType},
	fault.IdempotencyKeyReused:   {Status: http.StatusUnprocessableEntity},
	fault.ContentBlocked:         {Status: http.StatusUnprocessableEntity},
	fault.RateLimited:            {Status: http.StatusTooManyRequests, RetryAfter: 2 * time.Second},
	fault.Internal:               {Status: http.StatusInternalServerError},
	fault.ModelError:             {Status: http.StatusBadGateway},
	fault.InvalidOutput:          {Status: http.StatusBadGateway},
	fault.ModelUnavailable:       {Status: http.StatusServiceUnavailable, RetryAfter: 10 * time.Second},
	fault.Unavailable:            {Status: http.StatusServiceUnavailable, RetryAfter: 2 * time.Second},
	fault.ModelTimeout:           {Status: http.StatusGatewayTimeout},
}

// Statuses returns the HTTP statuses of the codes.
func Statuses() map[fault.Kind]int {
	out := make(map[fault.Kind]int, len(answers))
	for kind, answer := range answers {
		out[kind] = answer.Status
	}
	return out
}
