package rest

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
)

// exchange is one request and its one answer. Every answer of the API goes through send.
type exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	logger  *slog.Logger
	started time.Time
	access  Access
	sent    bool
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a request that came through the router, else nil.
func exchangeOf(r *http.Request) *exchange {
	ex, _ := r.Context().Value(exchangeKey{}).(*exchange)
	return ex
}

// newExchange begins an exchange: from here on every answer carries the request id.
func newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	ex := &exchange{w: w, logger: slog.New(slog.DiscardHandler), started: time.Now()}
	ex.access = Access{RequestID: requestID(r), Method: boundedMethod(r.Method)}
	ex.r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, ex))
	w.Header().Set(headerRequestID, ex.access.RequestID)
	if !r.ProtoAtLeast(1, 1) {
		// HTTP/1.0 knows no chunks. net/http drops a Transfer-Encoding there without a word, so what follows may be a body and
		// must not be read as a request (RFC 9112, 6.1).
		ex.closeConnection()
	}
	return ex
}

// closeConnection ends the connection after the answer.
func (ex *exchange) closeConnection() { ex.w.Header().Set("Connection", "close") }

// refuse answers with an error. A fault of kind Internal, or an error that is no fault, goes to the log with its cause.
func (ex *exchange) refuse(err error) {
	row, object := ex.describe(err)
	if object.Code == fault.Unauthorized {
		ex.w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if row.retryAfter > 0 {
		ex.w.Header().Set("Retry-After", wholeSeconds(row.retryAfter))
	}
	ex.send(row.status, errorBody{Error: object, RequestID: ex.access.RequestID})
}

// describe turns an error into what the client may see of it, and records it.
func (ex *exchange) describe(err error) (answer, errorObject) {
	row, object := describe(err)
	if object.Code == fault.Internal {
		ex.log("internal fault", slog.String("error", err.Error()))
	}
	ex.access.Code = string(object.Code)
	return row, object
}

// log writes one line about a fault of ours. Never given text, keys or queries.
func (ex *exchange) log(message string, attrs ...slog.Attr) {
	ex.logger.LogAttrs(ex.r.Context(), slog.LevelError, message, append(ex.access.identity(), attrs...)...)
}

// send writes the answer: status, headers and body as JSON.
func (ex *exchange) send(status int, body any) {
	data, err := encode(body)
	if err != nil { // only details that are no JSON can do this
		ex.log("answer cannot be encoded", slog.String("error", err.Error()))
		status, ex.access.Code = answers[fault.Internal].status, string(fault.Internal)
		_, object := describe(fault.New(fault.Internal, ""))
		data, _ = json.Marshal(errorBody{Error: object, RequestID: ex.access.RequestID})
	}
	data = append(data, '\n')
	header := ex.w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	ex.writeHeader(status)
	_, _ = ex.w.Write(data) // fails only for a client that left; the turn is stored either way
}

// writeHeader sends the status with what every answer carries.
func (ex *exchange) writeHeader(status int) {
	header := ex.w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if ex.access.Caller != nil && ex.access.Code != string(fault.Unauthorized) { // nobody may tell one 401 from another
		setRate(header, ex.access.Caller.Rate)
	}
	ex.access.Status, ex.sent = status, true
	ex.w.WriteHeader(status)
}

func encode(body any) ([]byte, error) {
	return json.Marshal(body, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// setRate tells a valid caller where its rate stands.
func setRate(header http.Header, rate chat.Rate) {
	header.Set("RateLimit-Limit", strconv.Itoa(rate.Limit))
	header.Set("RateLimit-Remaining", strconv.Itoa(max(0, rate.Remaining)))
	header.Set("RateLimit-Reset", strconv.FormatInt(max(0, int64(math.Ceil(rate.Reset.Seconds()))), 10))
}
