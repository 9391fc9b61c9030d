package graph

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/account"
	"agentchat/internal/auth"
)

const headerRequestID = "X-Request-Id"

// exchange is one request with what is known of it.
type exchange struct {
	w         http.ResponseWriter
	requestID string
	// token is the access token as it came, "" for none.
	token     string
	principal *auth.Principal
	// begun is the sign-in that the request has begun or renewed; nil when it has not.
	begun     *auth.Principal
	account   *account.Account
	cookies   cookies
	client    clientInfo
	answer    budget
	operation string
	status    int
	code      string
	// failure is what a subscription ended with; nil when it came to its end. The turn's side may still write it when whoever left
	// is no longer waited for.
	failure atomic.Pointer[error]
}

// clientInfo is where a request comes from.
type clientInfo struct{ address, browser string }

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	if ex, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return ex
	}
	return &exchange{}
}

// viewer is the account that is signed in. Access has been checked before any resolver runs.
func viewer(ctx context.Context) *account.Account { return exchangeOf(ctx).account }

// owner is the id that every store call on owned rows takes: of the account that is signed in, or, below the fields that sign
// in, of the one that they have signed in.
func owner(ctx context.Context) uuid.UUID {
	ex := exchangeOf(ctx)
	if root := graphql.GetRootFieldContext(ctx); ex.begun != nil && root != nil && public["Mutation."+root.Field.Name] {
		return ex.begun.AccountID
	}
	return ex.account.ID
}

// stamp gives an error the request id, which every error has.
func (ex *exchange) stamp(err *gqlerror.Error) *gqlerror.Error {
	if err.Extensions == nil {
		err.Extensions = map[string]any{}
	}
	err.Extensions["requestId"] = ex.requestID
	return err
}

func (ex *exchange) identity() []slog.Attr {
	attrs := []slog.Attr{slog.String("request_id", ex.requestID)}
	if ex.principal != nil {
		attrs = append(attrs, slog.String("account", ex.principal.AccountID.String()))
	}
	return attrs
}

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

func requestID(r *http.Request) string {
	if given := r.Header.Get(headerRequestID); requestIDPattern.MatchString(given) {
		return given
	}
	return uuid.Must(uuid.NewV7()).String()
}

// track gives every request its exchange, answers its panics, and records it in one line.
func (h *endpoint) track(next func(*exchange, http.ResponseWriter, *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		ex := &exchange{w: w, requestID: requestID(r), cookies: h.cookies(r), client: h.client(r)}
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, ex))
		w.Header().Set(headerRequestID, ex.requestID)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(http.ErrAbortHandler)
				}
				h.logger.LogAttrs(r.Context(), slog.LevelError, "panic", append(ex.identity(),
					slog.Any("panic", p), slog.String("stack", string(debug.Stack())))...)
				if ex.status != 0 { // an answer has begun: the client is to see a broken one rather than a wrong one
					defer panic(http.ErrAbortHandler)
				} else {
					ex.refuse(http.StatusInternalServerError, codeInternal, internalText)
				}
			}
			h.logger.LogAttrs(r.Context(), slog.LevelInfo, "request", append(ex.identity(), slog.String("method", r.Method),
				slog.String("route", "/graphql"), slog.String("operation", ex.operation), slog.Int("status", ex.status),
				slog.String("code", ex.code), slog.Float64("ms", float64(time.Since(started).Microseconds())/1000))...)
			h.observe(Access{Status: ex.status, Code: ex.code, Duration: time.Since(started)})
		}()
		next(ex, w, r)
	})
}

const internalText = "Something went wrong on our side. Try again; if it happens again, report the request id."

// refuse answers a request before, or instead of, an operation: one error in the shape that all have.
func (ex *exchange) refuse(status int, code, message string) {
	err := ex.stamp(&gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}})
	ex.send(status, &graphql.Response{Errors: gqlerror.List{err}})
}
