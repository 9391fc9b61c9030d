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

// AccessRecord describes one request, for the access line and the metrics. It never contains text,
// keys or queries.
type AccessRecord struct {
	RequestID string
	// Method is a registered method, or "OTHER": callers must not be able to create metrics.
	Method string
	// Route is the path pattern that matched, "" without a match.
	Route string
	// Status is the status that was sent, 0 if the connection was aborted before.
	Status int
	// Code is the error's code, "" for a success.
	Code     string
	Duration time.Duration
}

// Exchange is one request and its response. Each API embeds it in its own exchange.
type Exchange struct {
	W http.ResponseWriter
	R *http.Request
	// Access is filled in while the request is handled; Finish adds the duration.
	Access AccessRecord
	// Caller identifies the caller in log lines; nil until the credentials are verified.
	Caller  []slog.Attr
	logger  *slog.Logger
	started time.Time
}

// NewExchange begins an exchange and sets the headers of every response. The logger must not be
// nil.
func NewExchange(w http.ResponseWriter, r *http.Request, logger *slog.Logger) *Exchange {
	ex := &Exchange{
		W:       w,
		R:       r,
		logger:  logger,
		started: time.Now(),
		Access:  AccessRecord{RequestID: requestID(r.Header), Method: boundedMethod(r.Method)},
	}
	w.Header().Set(headerRequestID, ex.Access.RequestID)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !r.ProtoAtLeast(1, 1) {
		// HTTP/1.0 has no chunked bodies. net/http silently drops a Transfer-Encoding there, so the
		// following bytes may be a body and must not be read as a request (RFC 9112, 6.1).
		ex.CloseConnection()
	}
	return ex
}

// CloseConnection closes the connection after the response.
func (ex *Exchange) CloseConnection() { ex.W.Header().Set("Connection", "close") }

// WriteHeader sends the status. After that, a panic aborts the connection.
func (ex *Exchange) WriteHeader(status int) {
	ex.Access.Status = status
	ex.W.WriteHeader(status)
}

// SendJSON sends the whole response; body is its JSON.
func (ex *Exchange) SendJSON(status int, body []byte) { ex.Send(status, "application/json", body) }

// Send sends the whole response, of a media type.
func (ex *Exchange) Send(status int, mediaType string, body []byte) {
	ex.W.Header().Set("Content-Type", mediaType)
	ex.W.Header().Set("Content-Length", strconv.Itoa(len(body)))
	ex.WriteHeader(status)
	_, _ = ex.W.Write(body) // fails only if the client has left, which does not matter here
}

// LogFault logs an internal fault with the request id and the caller. Never pass it text, keys or
// queries.
func (ex *Exchange) LogFault(message string, attrs ...slog.Attr) {
	ex.logger.LogAttrs(ex.R.Context(), slog.LevelError, message, append(ex.identity(), attrs...)...)
}

func (ex *Exchange) identity() []slog.Attr {
	return append([]slog.Attr{slog.String("request_id", ex.Access.RequestID)}, ex.Caller...)
}

// Recover must be deferred around the API's handler. It logs a panic with its stack and calls
// refuse, which sends a 500. If the response has already started, it aborts the connection instead,
// so that the client cannot mistake a broken response for a complete one.
func (ex *Exchange) Recover(refuse func()) {
	recovered := recover()
	if recovered == nil {
		return
	}
	if err, ok := recovered.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler) // net/http's own way to close a connection, not a bug
	}
	ex.LogFault("panic", slog.Any("panic", recovered), slog.String("stack", string(debug.Stack())))
	if ex.Access.Status != 0 {
		panic(http.ErrAbortHandler)
	}
	ex.CloseConnection() // the body may be only partly read
	refuse()
}

// Finish logs the access line, followed by attrs, and returns the record of the request.
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

// boundedMethod returns the method if it is registered, else "OTHER".
func boundedMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "OTHER"
}
