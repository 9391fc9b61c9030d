package rest

import (
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/eventstream"
	"agentchat/internal/fault"
)

// What the external tests need of the inside: the pure parts, and the frame of middlewares around another endpoint.

// Limits and the path, so that tests do not repeat the numbers of the code they check by reference.
const (
	ChatPath     = chatPath
	MaxBodyBytes = maxBodyBytes
)

// Input is a decoded body.
type Input struct {
	Message string
	Session *string
	Stream  *bool
}

// Decode is decode.
func Decode(body []byte) (Input, error) {
	in, err := decode(body)
	return Input{Message: in.message, Session: in.session, Stream: in.stream}, err
}

// WantsStream is input.wantsStream over a decoded body.
func WantsStream(in Input, header http.Header) bool {
	return input{message: in.Message, session: in.Session, stream: in.Stream}.wantsStream(eventstream.Accepted(header))
}

// NewWithTimes is New with other times for its streams.
func NewWithTimes(config Config, start, comment, write time.Duration) http.Handler {
	a := newAPI(config)
	a.times = streamTimes{start: start, comment: comment, write: write}
	return a.router(http.HandlerFunc(a.serveChat))
}

var (
	CheckMediaType = checkMediaType
	IdempotencyKey = idempotencyKey
	BearerKey      = bearerKey
	ReadBody       = readBody
	WholeSeconds   = wholeSeconds
)

// Refuse answers err as the handler does, for a caller that may be nil.
func Refuse(w http.ResponseWriter, r *http.Request, logger *slog.Logger, caller *chat.Caller, err error) {
	ex := newExchange(w, r)
	ex.logger = logger
	ex.access.Caller = caller
	ex.refuse(err)
}

// Reply answers 200 as the handler does.
func Reply(w http.ResponseWriter, r *http.Request, caller *chat.Caller, answer *chat.Answer) {
	ex := newExchange(w, r)
	ex.access.Caller = caller
	ex.reply(answer)
}

// NewWithEndpoint is New with another endpoint behind the route.
func NewWithEndpoint(config Config, endpoint http.HandlerFunc) http.Handler {
	return newAPI(config).router(endpoint)
}

// RefuseWithin answers err from inside an endpoint.
func RefuseWithin(r *http.Request, err error) { exchangeOf(r).refuse(err) }

// StatusOf is the table's status for a kind.
func StatusOf(kind fault.Kind) (status int, listed bool) {
	row, ok := answers[kind]
	return row.status, ok
}

// Kinds are those of the table, in order.
func Kinds() []fault.Kind { return slices.Sorted(maps.Keys(answers)) }
