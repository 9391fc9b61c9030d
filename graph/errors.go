package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
)

// The codes of extensions.code, as the schema's enum ErrorCode describes them.
const (
	codeUnauthenticated = "UNAUTHENTICATED"
	codeForbidden       = "FORBIDDEN"
	codeBadUserInput    = "BAD_USER_INPUT"
	codeLimitExceeded   = "LIMIT_EXCEEDED"
	codeUnavailable     = "UNAVAILABLE"
	codeInternal        = "INTERNAL"
)

// codes is the one table from a fault's kind to its code. A kind that is not here is INTERNAL.
var codes = map[fault.Kind]string{
	fault.InvalidInput:       codeBadUserInput,
	fault.Unauthorized:       codeUnauthenticated,
	fault.InvalidCredentials: "INVALID_CREDENTIALS",
	fault.SignUpClosed:       "SIGN_UP_CLOSED",
	fault.NotFound:           "NOT_FOUND",
	fault.Conflict:           "CONFLICT",
	// The refusals of a playground's message: the present state does not allow it, and the text says why.
	fault.AgentNotReady:        "CONFLICT",
	fault.SessionBusy:          "CONFLICT",
	fault.RequestInProgress:    "CONFLICT",
	fault.IdempotencyKeyReused: "CONFLICT",
	fault.ConversationDeleted:  "CONFLICT",
	fault.InsufficientCredits:  "INSUFFICIENT_CREDITS",
	fault.RateLimited:          "RATE_LIMITED",
	fault.Unavailable:          codeUnavailable,
	fault.ModelUnavailable:     codeUnavailable,
}

// extensionField is a field of extensions.fields.
type extensionField struct {
	Path    string `json:"path"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// presenter makes every error of an operation public: with a code, the request id, and nothing of its cause. Faults of ours
// are logged here, once.
func presenter(logger *slog.Logger) graphql.ErrorPresenterFunc {
	return func(ctx context.Context, err error) *gqlerror.Error {
		ex := exchangeOf(ctx)
		gqlErr, isGraphQL := errors.AsType[*gqlerror.Error](err)
		if isGraphQL && gqlErr.Unwrap() == nil && gqlErr.Extensions["code"] != nil {
			// Of the parser, the validator or the limits. The validator's suggestions would tell the schema bit by bit.
			gqlErr.Message, _, _ = strings.Cut(gqlErr.Message, " Did you mean")
			return ex.stamp(gqlErr)
		}
		path := graphql.GetPath(ctx)
		if isGraphQL && gqlErr.Path != nil {
			path = gqlErr.Path
		}
		f, ok := errors.AsType[*fault.Error](err)
		if !ok {
			// Resolvers return faults (see faultsOnly): what is left is input that gqlgen could not read.
			f = fault.Invalid(fault.Field{Path: pathText(path), Reason: fault.WrongType,
				Message: "A value does not have the type that the schema says."})
		}
		return ex.stamp(present(ctx, logger, f, path))
	}
}

func present(ctx context.Context, logger *slog.Logger, f *fault.Error, path ast.Path) *gqlerror.Error {
	code := codes[f.Kind]
	if code == "" {
		code = codeInternal
		logFault(ctx, logger, f)
	}
	out := &gqlerror.Error{Message: fault.ClientMessage(f), Path: path, Extensions: map[string]any{"code": code}}
	if f.Kind == fault.InvalidInput {
		fields := make([]extensionField, 0, len(f.Fields))
		for _, field := range f.Fields {
			if field.Path == "" {
				field.Path = pathText(path)
			}
			fields = append(fields, extensionField{Path: field.Path, Reason: string(field.Reason), Message: field.Message})
		}
		out.Extensions["fields"] = fields
		if len(fields) > 0 {
			out.Extensions["field"] = fields[0].Path
		}
	}
	if f.RetryAfter > 0 {
		out.Extensions["retryAfterSeconds"] = int(math.Ceil(f.RetryAfter.Seconds()))
	}
	return out
}

// pathText writes the part of a path that names the input, as extensions.fields does.
func pathText(path ast.Path) string {
	text := path.String()
	for i := len(path) - 1; i >= 0; i-- {
		if name, ok := path[i].(ast.PathName); ok {
			return string(name)
		}
	}
	return text
}

func logFault(ctx context.Context, logger *slog.Logger, err error) {
	ex := exchangeOf(ctx)
	logger.LogAttrs(ctx, slog.LevelError, "internal fault", append(ex.identity(), slog.String("error", err.Error()))...)
}

// faultsOnly makes a resolver's unknown error a fault, so that it is told apart from input that gqlgen could not read.
func faultsOnly(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	return res, asFault(err)
}

// asFault makes an unknown error a fault of ours.
func asFault(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); err == nil || ok {
		return err
	}
	return fault.Wrap(fault.Internal, err)
}

// recovered makes a panic a fault of ours, with its stack for the log.
func recovered(_ context.Context, p any) error {
	return fault.Wrap(fault.Internal, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
}

func limitExceeded(message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": codeLimitExceeded}}
}

// badRequest is an error of the request's form, answered with status 400.
func badRequest(message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": codeBadUserInput}}
}

// isProtocol reports whether an error is gqlgen's own about a document, answered with status 422.
func isProtocol(err *gqlerror.Error) bool {
	code, _ := err.Extensions["code"].(string)
	return code == errcode.ParseFailed || code == errcode.ValidationFailed
}

// retryAfter is what an UNAVAILABLE answer asks for that knows nothing better.
const retryAfter = time.Second
