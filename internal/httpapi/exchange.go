package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"
)

const headerRequestID = "X-Request-Id"

// AccessRecord describes one request, in the access line and for the metrics. It never holds text, a key or a query.
type AccessRecord struct {
	RequestID string
	// Method is one of the registered methods, or "OTHER": metrics must not grow with what callers make up.
	Method string
	// Route is the path pattern that matched, "" when none did.
	Route string
	// Status is the status that was sent, 0 when the connection was aborted before any was.
	Status int
	// Code is the error's code, "" for a success.
	Code     string
	Duration time.Duration
}

// Exchange is one request and its one answer. Each API embeds it in its own exchange.
type Exchange struct {
	W http.ResponseWriter
	R *http.Request
	// Access is filled in as the request is handled; Finish adds the duration.
	Access AccessRecord
	// Caller identifies the caller in log lines; nil until the credentials are verified.
	Caller  []slog.Attr
	logger  *slog.Logger
	started time.Time
}

// NewExchange begins an exchange and sets the headers that every answer carries. The logger must not be nil.
func NewExchange(w http.ResponseWriter, r *http.Request, logger *slog.Logger) *Exchange {
	ex := &Exchange{
		W: w, R: r, logger: logger, started: time.Now(),
		Access: AccessRecord{RequestID: requestID(r.Header), Method: boundedMethod(r.Method)},
	}
	w.Header().Set(headerRequestID, ex.Access.RequestID)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !r.ProtoAtLeast(1, 1) {
		// HTTP/1.0 has no chunked bodies. net/http silently drops a Transfer-Encoding there, so what follows may be a body and
		// must not be read as a request (RFC 9112, 6.1).
		ex.CloseConnection()
	}
	return ex
}

// CloseConnection ends the connection after the answer.
func (ex *Exchange) CloseConnection() { ex.W.Header().Set("Connection", "close") }

// WriteHeader sends the status. From here on a panic aborts the connection.
func (ex *Exchange) WriteHeader(status int) {
	ex.Access.Status = status
	ex.W.WriteHeader(status)
}

// SendJSON sends the whole answer; body is its JSON.
func (ex *Exchange) SendJSON(status int, body []byte) { ex.Send(status, "application/json", body) }

// Send sends the whole answer, of a media type.
func (ex *Exchange) Send(status int, mediaType string, body []byte) {
	ex.W.Header().Set("Content-Type", mediaType)
	ex.W.Header().Set("Content-Length", strconv.Itoa(len(body)))
	ex.WriteHeader(status)
	_, _ = ex.W.Write(body) // fails only when the client has left, which changes nothing here
}

// LogFault logs an internal fault with the request id and the caller. Never pass it text, keys or queries.
func (ex *Exchange) LogFault(message string, attrs ...slog.Attr) {
	ex.logger.LogAttrs(ex.R.Context(), slog.LevelError, message, append(ex.identity(), attrs...)...)
}

func (ex *Exchange) identity() []slog.Attr {
	return append([]slog.Attr{slog.String("request_id", ex.Access.RequestID)}, ex.Caller...)
}

// Recover must be deferred around the API's handler. It logs a panic with its stack and calls refuse, which answers 500. When
// an answer has begun already it aborts the connection instead: the client must not take a broken answer for a whole one.
func (ex *Exchange) Recover(refuse func()) {
	recovered := recover()
	if recovered == nil {
		return
	}
	if err, ok := recovered.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler) // net/http's own way to end a connection, not a bug
	}
	ex.LogFault("panic", slog.Any("panic", recovered), slog.String("stack", string(debug.Stack())))
	if ex.Access.Status != 0 {
		panic(http.ErrAbortHandler)
	}
	ex.CloseConnection() // the body may be half read
	refuse()
}

// Finish logs the access line, with attrs at its end, and returns the record of the request.
func (ex *Exchange) Finish(attrs ...slog.Attr) AccessRecord {
	a := &ex.Access
	a.Duration = time.Since(ex.started)
	line := append(ex.identity(),
		slog.String("method", a.Method),
		slog.String("route", a.Route),
		slog.Int("status", a.Status),
		slog.Float64("ms", float64(a.Duration.Microseconds())/1000))
	if a.Code != "" {
		line = append(line, slog.String("code", a.Code))
	}
	ex.logger.LogAttrs(ex.R.Context(), slog.LevelInfo, "request", append(line, attrs...)...)
	return *a
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
