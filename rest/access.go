package rest

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
)

// Access is what is recorded of one request: in the access line, and through Config.Observe. It never holds text, a key or
// a query.
type Access struct {
	RequestID string
	// Method is one of the registered methods, or "OTHER": metrics must not grow with what callers make up.
	Method string
	// Route is the pattern that matched, "" when none did.
	Route string
	// Status is the status that was sent, 0 when the connection was aborted before any was.
	Status int
	// Code is the error's code, "" for a reply.
	Code     string
	Duration time.Duration
	// Caller is nil as long as no valid key was seen.
	Caller *chat.Caller
	// Credits are what this request was charged: 0 for a refusal and for a replay.
	Credits int64
	// InputTokens and OutputTokens are nil when there is no reply, or when its model reported none.
	InputTokens  *int64
	OutputTokens *int64
	// Replayed marks the stored reply to an earlier request.
	Replayed bool
	// ClientGone says that the client had left before the answer was ready.
	ClientGone bool
}

// identity is what an error line needs to be found by: the request and, once known, whose it was.
func (a *Access) identity() []slog.Attr {
	attrs := []slog.Attr{slog.String("request_id", a.RequestID)}
	if a.Caller != nil {
		attrs = append(attrs,
			slog.String("account", a.Caller.AccountID.String()),
			slog.String("export", a.Caller.ExportID.String()))
	}
	return attrs
}

func (a *Access) attrs() []slog.Attr {
	attrs := append(a.identity(),
		slog.String("method", a.Method),
		slog.String("route", a.Route),
		slog.Int("status", a.Status),
		slog.Float64("ms", float64(a.Duration.Microseconds())/1000))
	if a.Code != "" {
		attrs = append(attrs, slog.String("code", a.Code))
	}
	if a.Credits != 0 {
		attrs = append(attrs, slog.Int64("credits", a.Credits))
	}
	if a.InputTokens != nil {
		attrs = append(attrs, slog.Int64("input_tokens", *a.InputTokens))
	}
	if a.OutputTokens != nil {
		attrs = append(attrs, slog.Int64("output_tokens", *a.OutputTokens))
	}
	if a.Replayed {
		attrs = append(attrs, slog.Bool("replayed", true))
	}
	if a.ClientGone {
		attrs = append(attrs, slog.Bool("client_gone", true))
	}
	return attrs
}

// track is the outermost middleware: it gives every request its id and its deadline for the body, and records it once
// it is over, aborted or not.
func (a *api) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := newExchange(w, r)
		ex.logger = a.logger
		boundBody(w, r, a.bodyTimeout)
		defer func() {
			ex.access.Duration = time.Since(ex.started)
			a.logger.LogAttrs(r.Context(), slog.LevelInfo, "request", ex.access.attrs()...)
			a.observe(ex.access)
		}()
		next.ServeHTTP(w, ex.r)
	})
}

// recoverPanic answers a panic with 500 and logs it with its stack. Where an answer has begun already, the connection is
// aborted, so that the client sees a broken answer rather than a wrong one.
func (a *api) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			recovered := recover()
			if recovered == nil {
				return
			}
			if err, ok := recovered.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler) // net/http's own way to end a connection: not a fault
			}
			ex := exchangeOf(r)
			ex.log("panic", slog.Any("panic", recovered), slog.String("stack", string(debug.Stack())))
			if ex.sent {
				panic(http.ErrAbortHandler)
			}
			ex.closeConnection() // the body may be half read
			ex.refusePanic()
		}()
		next.ServeHTTP(w, r)
	})
}

// refusePanic answers like refuse, without a second line in the log.
func (ex *exchange) refusePanic() {
	row, object := describe(fault.New(fault.Internal, ""))
	ex.access.Code = string(object.Code)
	ex.send(row.status, errorBody{Error: object, RequestID: ex.access.RequestID})
}

// boundedMethod returns the method when it is registered, else "OTHER".
func boundedMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "OTHER"
}
