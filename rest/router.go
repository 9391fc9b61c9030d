package rest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// ChatPath is the API's one path. It matches byte for byte: a spelling with percent escapes is
// another path.
const ChatPath = "/v1/agent/chat"

// Chat is the use case behind the route; *chat.Service implements it.
type Chat interface {
	// CheckKey checks the key and spends one request of its rate, for requests that are refused before
	// they can begin a turn.
	CheckKey(ctx context.Context, key apikey.Hash, from netip.Addr) (*chat.Caller, error)
	// Send answers one message.
	Send(ctx context.Context, msg chat.Message) (chat.Result, error)
	// Rate stores a rating of a reply.
	Rate(ctx context.Context, in chat.Rating) (chat.Rated, error)
}

// Config configures the API.
type Config struct {
	// Chat answers the messages. Required.
	Chat Chat
	// Logger gets one access line per request, faults of kind fault.Internal, and panics; nil logs
	// nothing.
	Logger *slog.Logger
	// Observe is called once per request after its answer, for metrics; nil for none. It must not
	// block.
	Observe func(AccessRecord)
	// NoBackground refuses background messages.
	NoBackground bool
}

type api struct {
	chat    Chat
	logger  *slog.Logger
	observe func(AccessRecord)
	times   streamTimes

	noBackground bool
}

// New returns the handler of the whole API. It routes by the request's full path, wherever it is
// mounted, and answers every other path with 404 and every other method with 405. Mount it behind
// httpapi.Bodies, which bounds the time of bodies.
func New(config Config) http.Handler {
	a := newAPI(config)
	return a.handler(a.serveChat)
}

func newAPI(config Config) *api {
	a := &api{
		chat:         config.Chat,
		logger:       config.Logger,
		observe:      config.Observe,
		times:        defaultTimes,
		noBackground: config.NoBackground,
	}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if a.observe == nil {
		a.observe = func(AccessRecord) {}
	}
	return a
}

// handler routes to the one endpoint. Every request, those answered with 404 and 405 included, is
// recorded.
func (a *api) handler(endpoint func(*request)) http.Handler {
	mux := chi.NewRouter()
	mux.Use(a.record)
	mux.Post(ChatPath, func(_ http.ResponseWriter, r *http.Request) {
		req := requestOf(r)
		req.Access.Route = ChatPath
		endpoint(req)
	})
	mux.NotFound(func(_ http.ResponseWriter, r *http.Request) { requestOf(r).refuse(notFound()) })
	mux.MethodNotAllowed(methodNotAllowed)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(chi.RouteCtxKey) != nil {
			// A chi router above left its state in the context. Without this, routing would continue from
			// there.
			r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, (*chi.Context)(nil)))
		}
		mux.ServeHTTP(w, r)
	})
}

type requestKey struct{}

func requestOf(r *http.Request) *request {
	return r.Context().Value(requestKey{}).(*request) // set by the middleware
}

// tracer does nothing until package tracing is on.
var tracer = otel.Tracer("agentchat/rest")

// record is the middleware that recovers panics and records each request.
func (a *api) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := tracer.Start(otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header)),
			"chat API", trace.WithSpanKind(trace.SpanKindServer))
		r = r.WithContext(ctx)
		req := &request{Exchange: httpapi.NewExchange(w, r, a.logger)}
		req.record.Client = httpapi.ClientAddress(r)
		defer func() {
			req.record.AccessRecord = req.Finish(req.record.attrs()...)
			req.record.Rejected = req.rejected()
			a.observe(req.record)
			span.SetAttributes(attribute.Int("http.response.status_code", req.record.Status),
				attribute.String("http.route", req.record.Route), attribute.String("agentchat.code", req.record.Code),
				attribute.String("agentchat.request_id", req.record.RequestID))
			span.End()
		}()
		defer req.Recover(req.refusePanic)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, requestKey{}, req)))
	})
}

func notFound() error {
	return fault.New(fault.NotFound, "This path does not exist. The API is POST "+ChatPath+".")
}

// methodNotAllowed answers 405. chi passes methods that it does not know to it before it looks at
// the path.
func methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	req := requestOf(r)
	if cmp.Or(r.URL.RawPath, r.URL.Path) != ChatPath {
		req.refuse(notFound())
		return
	}
	req.Access.Route = ChatPath
	w.Header().Set("Allow", http.MethodPost)
	req.refuse(fault.New(httpapi.MethodNotAllowed, "This path accepts only POST."))
}
