package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store"
)

// Codes of extensions.code that are used outside the table. The schema's enum ErrorCode describes
// all codes.
const (
	codeBadUserInput  = "BAD_USER_INPUT"
	codeConflict      = "CONFLICT"
	codeLimitExceeded = "LIMIT_EXCEEDED"
	codeUnavailable   = "UNAVAILABLE"
	codeInternal      = "INTERNAL"
)

// forbidden is a request from another site's page.
const forbidden fault.Kind = "forbidden"

// foreignAccount is a header X-Account-Id that names no account of the user.
const foreignAccount fault.Kind = "foreign_account"

// roleForbids refuses what the caller's role or account does not allow.
const roleForbids fault.Kind = "role_forbids"

// persistedQuery is a request with the hash of a query instead of its text. Clients then send the
// text.
const persistedQuery fault.Kind = "persisted_query"

// errorCode is the response to a kind of fault.
type errorCode struct {
	code string
	// status is the HTTP status when the fault refuses the whole request; 0 means 200.
	status int
}

// codes maps kinds of faults to codes. Any other kind is INTERNAL.
var codes = map[fault.Kind]errorCode{
	fault.InvalidInput:         {code: codeBadUserInput},
	fault.Unauthorized:         {"UNAUTHENTICATED", http.StatusUnauthorized},
	fault.InvalidCredentials:   {code: "INVALID_CREDENTIALS"},
	fault.SignUpClosed:         {code: "SIGN_UP_CLOSED"},
	fault.SecondFactorRequired: {code: "SECOND_FACTOR_REQUIRED"},
	reauthenticationRequired:   {code: "REAUTHENTICATION_REQUIRED"},
	fault.NotFound:             {code: "NOT_FOUND"},
	fault.Conflict:             {code: codeConflict},
	// Rejected playground messages: the message gives the reason.
	fault.AgentNotReady:        {code: codeConflict},
	fault.SessionBusy:          {code: codeConflict},
	fault.RequestInProgress:    {code: codeConflict},
	fault.IdempotencyKeyReused: {code: codeConflict},
	fault.ConversationDeleted:  {code: codeConflict},
	fault.ActionMismatch:       {code: codeConflict},
	fault.InsufficientCredits:  {code: "INSUFFICIENT_CREDITS"},
	fault.RateLimited:          {code: "RATE_LIMITED"},
	fault.Unavailable:          {codeUnavailable, http.StatusServiceUnavailable},
	fault.ModelUnavailable:     {code: codeUnavailable},
	store.TextTooLong:          {code: codeLimitExceeded},
	persistedQuery:             {code: "PERSISTED_QUERY_NOT_SUPPORTED"},
	// Malformed requests.
	httpapi.InvalidJSON:          {codeBadUserInput, http.StatusBadRequest},
	forbidden:                    {"FORBIDDEN", http.StatusForbidden},
	foreignAccount:               {code: "FORBIDDEN"},
	roleForbids:                  {code: "FORBIDDEN"},
	httpapi.MethodNotAllowed:     {codeBadUserInput, http.StatusMethodNotAllowed},
	httpapi.RequestTimeout:       {codeBadUserInput, http.StatusRequestTimeout},
	urlTooLong:                   {codeLimitExceeded, http.StatusRequestURITooLong},
	httpapi.PayloadTooLarge:      {codeLimitExceeded, http.StatusRequestEntityTooLarge},
	httpapi.UnsupportedMediaType: {codeBadUserInput, http.StatusUnsupportedMediaType},
}

// extensionField is a field of extensions.fields.
type extensionField struct {
	Path    string `json:"path"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// present turns every error of an operation into a public one: with a code and the request id,
// without its cause. It logs each internal fault once, and the reason why the database is
// unavailable.
func present(ctx context.Context, err error) *gqlerror.Error {
	req := requestOf(ctx)
	gqlErr, isGraphQL := errors.AsType[*gqlerror.Error](err)
	if isGraphQL && gqlErr.Unwrap() == nil && gqlErr.Extensions["code"] != nil {
		// From the parser, the validator or the limits. The validator's suggestions would reveal the
		// schema bit by bit.
		gqlErr.Message, _, _ = strings.Cut(gqlErr.Message, " Did you mean")
		return req.stamp(gqlErr)
	}
	path := graphql.GetPath(ctx)
	if isGraphQL && gqlErr.Path != nil {
		path = gqlErr.Path
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		// Resolvers return faults (see faultsOnly). Any other error is input that gqlgen could not read.
		f = fault.Invalid(fault.Field{Path: pathText(path), Reason: fault.WrongType,
			Message: "This value does not have the type that the schema requires."})
	}
	row, known := codes[f.Kind]
	if !known {
		row.code = codeInternal
		req.LogFault("internal fault", slog.String("error", f.Error()))
	}
	req.LogUnavailable(f)
	return req.stamp(&gqlerror.Error{
		Message:    fault.ClientMessage(f),
		Path:       path,
		Extensions: extensions(row.code, f, path),
	})
}

func extensions(code string, f *fault.Error, path ast.Path) map[string]any {
	out := map[string]any{"code": code}
	if f.Kind == fault.InvalidInput {
		fields := make([]extensionField, 0, len(f.Fields))
		for _, field := range f.Fields {
			field.Path = cmp.Or(field.Path, pathText(path))
			fields = append(fields,
				extensionField{Path: field.Path, Reason: string(field.Reason), Message: field.Message})
		}
		out["fields"] = fields
		if len(fields) > 0 {
			out["field"] = fields[0].Path
		}
	}
	if reason, ok := f.Details["reason"]; ok && f.Kind == fault.Conflict {
		out["reason"] = reason
	}
	if f.RetryAfter > 0 {
		out["retryAfterSeconds"] = httpapi.WholeSeconds(f.RetryAfter)
	}
	return out
}

// pathText returns the part of a path that names the input, for extensions.fields.
func pathText(path ast.Path) string {
	text := path.String()
	for i := len(path) - 1; i >= 0; i-- {
		if name, ok := path[i].(ast.PathName); ok {
			return string(name)
		}
	}
	return text
}

// faultsOnly turns a resolver's unknown error into a fault, to distinguish it from invalid input
// that gqlgen reports.
func faultsOnly(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	return res, asFault(err)
}

// asFault turns an unknown error into an internal fault.
func asFault(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); err == nil || ok {
		return err
	}
	return fault.Wrap(fault.Internal, err)
}

// recovered turns a panic into an internal fault, with its stack for the log.
func recovered(_ context.Context, p any) error {
	return fault.Wrap(fault.Internal, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
}

func limitExceeded(message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": codeLimitExceeded}}
}

// badRequest returns an error for a malformed request, answered with status 400.
func badRequest(message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": codeBadUserInput}}
}

// isProtocol reports whether an error is gqlgen's own about a document, answered with status 422.
func isProtocol(err *gqlerror.Error) bool {
	code, _ := err.Extensions["code"].(string)
	return code == errcode.ParseFailed || code == errcode.ValidationFailed
}
