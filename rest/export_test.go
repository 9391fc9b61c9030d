package rest

import (
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// What the external tests need from inside: the pure parts, and the handler around another
// endpoint.

// Limits and the path, so that tests do not repeat the numbers of the code they check by reference.
const (
	MaxBodyBytes = maxBodyBytes
)

// Input is a decoded body.
type Input struct {
	Message string
	Session *string
	UserID  *string
	Stream  *bool

	Variables map[string]string
	Results   *conversation.ActionResults

	Rating *conversation.Rating
}

// Decode is decode.
func Decode(body []byte) (Input, error) {
	in, err := decode(body)
	if err != nil {
		return Input{}, err
	}
	out := Input{Message: in.text(), Session: in.SessionID, UserID: in.UserID, Stream: in.Stream,
		Variables: in.values(), Results: in.results}
	if r := in.Rating; r != nil {
		out.Rating = &conversation.Rating{TurnID: r.messageID, Value: conversation.RatingValue(*r.Value), Note: r.note()}
	}
	return out, nil
}

// NewWithTimes is New with other times for its streams.
func NewWithTimes(config Config, start, comment, write time.Duration) http.Handler {
	a := newAPI(config)
	a.times = streamTimes{start: start, comment: comment, write: write}
	return a.handler(a.serveChat)
}

// BearerKey is bearerKey.
var BearerKey = bearerKey

func requestFor(w http.ResponseWriter, r *http.Request, logger *slog.Logger, caller *chat.Caller) *request {
	req := &request{Exchange: httpapi.NewExchange(w, r, logger)}
	req.identify(caller)
	return req
}

// Refuse answers err as the handler does, for a caller that may be nil.
func Refuse(w http.ResponseWriter, r *http.Request, logger *slog.Logger, caller *chat.Caller, err error) {
	requestFor(w, r, logger, caller).refuse(err)
}

// Reply answers 200 as the handler does.
func Reply(w http.ResponseWriter, r *http.Request, caller *chat.Caller, answer *chat.Answer) {
	requestFor(w, r, slog.New(slog.DiscardHandler), caller).reply(answer)
}

// StatusOf is the table's status for a kind.
func StatusOf(kind fault.Kind) (status int, listed bool) {
	row, ok := answers[kind]
	return row.Status, ok
}

// Kinds are those of the table, in order.
func Kinds() []fault.Kind { return slices.Sorted(maps.Keys(answers)) }
