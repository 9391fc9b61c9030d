package rest

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
)

// chatPath is the one path of the API. It matches byte for byte, also when it is spelled with percent escapes.
const chatPath = "/v1/agent/chat"

// defaultBodyTimeout is how long a request's body may take to arrive.
const defaultBodyTimeout = 15 * time.Second

// Chat is the use case behind the route, which *chat.Service implements.
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

// New returns the handler of the whole API. It routes by the request's full path, wherever it is mounted, and answers
// every other path with 404 and every other method with 405.
func New(config Config) http.Handler {
	a := newAPI(config)
	return a.router(http.HandlerFunc(a.serveChat))
}

func newAPI(config Config) *api {
	a := &api{
		chat: config.Chat, logger: config.Logger,
		observe: config.Observe, bodyTimeout: config.BodyTimeout, times: contractTimes,
	}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if a.observe == nil {
		a.observe = func(Access) {}
	}
	if a.bodyTimeout <= 0 {
		a.bodyTimeout = defaultBodyTimeout
	}
	return a
}

// router puts the middlewares and the 404 and 405 answers around the one endpoint.
func (a *api) router(endpoint http.Handler) http.Handler {
	mux := chi.NewRouter()
	mux.Use(a.track, a.recoverPanic)
	mux.Method(http.MethodPost, chatPath, endpoint)
	mux.NotFound(NotFound)
	mux.MethodNotAllowed(methodNotAllowed)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(chi.RouteCtxKey) != nil {
			// A chi router above has left its state in the context. Without a state of its own this router would go on from
			// there, and match a path with the mount point cut off.
			r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, (*chi.Context)(nil)))
		}
		mux.ServeHTTP(w, r)
	})
}

// NotFound answers 404 in the API's own shape, with a request id. The server's root router uses it for paths that are
// spelled so oddly that they do not reach New's handler but belong to the API all the same, such as //v1//agent/chat.
func NotFound(w http.ResponseWriter, r *http.Request) {
	ex := exchangeOf(r)
	if ex == nil { // called from outside the router: nothing has bounded the body yet
		ex = newExchange(w, r)
		boundBody(w, r, defaultBodyTimeout)
	}
	ex.refuse(fault.New(fault.NotFound, "There is nothing at this path. The API is POST "+chatPath+"."))
}

// methodNotAllowed answers 405. chi sends methods it does not know here before it looks at the path, so the path is
// looked at again.
func methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	if routedPath(r) != chatPath {
		NotFound(w, r)
		return
	}
	ex := exchangeOf(r)
	ex.access.Route = chatPath
	w.Header().Set("Allow", http.MethodPost)
	ex.refuse(fault.New(methodIsNotAllowed, "This path takes POST only."))
}

// routedPath is the path as chi matches it: still escaped where the escapes matter.
func routedPath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.Path
}
