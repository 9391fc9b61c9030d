package rest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// chatPath is the API's one path. It matches byte for byte: a spelling with percent escapes is another path.
const chatPath = "/v1/agent/chat"

// defaultBodyTimeout is how long a request's body may take to arrive.
const defaultBodyTimeout = 15 * time.Second

// Chat is the use case behind the route; *chat.Service implements it.
type Chat interface {
	// Admit checks the key and spends one request of its rate, for requests that are refused before they can begin a turn.
	Admit(ctx context.Context, key apikey.Hash) (*chat.Caller, error)
	// Send answers one message.
	Send(ctx context.Context, req chat.Request) (chat.Result, error)
}

// Config is what the API needs.
type Config struct {
	// Chat answers the messages. Required.
	Chat Chat
	// Logger gets one access line per request, faults of kind fault.Internal, and panics; nil logs nothing.
	Logger *slog.Logger
	// Observe is called once per request after its answer, for metrics; nil for none. It must not block.
	Observe func(Access)
	// BodyTimeout is how long a body may take to arrive before 408; zero means 15 s.
	BodyTimeout time.Duration
}

type api struct {
	chat        Chat
	logger      *slog.Logger
	observe     func(Access)
	bodyTimeout time.Duration
	times       streamTimes
}

// New returns the handler of the whole API. It routes by the request's full path, wherever it is mounted, and answers every
// other path with 404 and every other method with 405.
func New(config Config) http.Handler {
	a := newAPI(config)
	return a.handler(a.serveChat)
}

func newAPI(config Config) *api {
	a := &api{
		chat: config.Chat, logger: config.Logger, observe: config.Observe,
		bodyTimeout: cmp.Or(config.BodyTimeout, defaultBodyTimeout), times: defaultTimes,
	}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if a.observe == nil {
		a.observe = func(Access) {}
	}
	return a
}

// handler begins an exchange for every request, passes those for the one route to endpoint, and records each at its end.
func (a *api) handler(endpoint func(*exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := &exchange{Exchange: httpapi.NewExchange(w, r, a.logger)}
		httpapi.BoundBody(w, r, a.bodyTimeout)
		defer func() {
			ex.record.Access = ex.Finish(ex.record.attrs()...)
			a.observe(ex.record)
		}()
		defer ex.Recover(ex.refusePanic)
		switch path := cmp.Or(r.URL.RawPath, r.URL.Path); {
		case path != chatPath:
			ex.refuse(fault.New(fault.NotFound, "This path does not exist. The API is POST "+chatPath+"."))
		case r.Method != http.MethodPost:
			ex.Access.Route = chatPath
			w.Header().Set("Allow", http.MethodPost)
			ex.refuse(fault.New(httpapi.MethodNotAllowed, "This path accepts only POST."))
		default:
			ex.Access.Route = chatPath
			endpoint(ex)
		}
	})
}
