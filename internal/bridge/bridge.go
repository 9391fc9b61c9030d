package bridge

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/baseurl"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/memory"
	"agentchat/internal/share"
)

// chatPath is the service's one route.
const chatPath = "/v1/agent/chat"

// bodyMemory is the memory of bodies, which may together have 128 MiB.
const bodyMemory = httpapi.HeldPerByte * 128 << 20

// Config configures a bridge.
type Config struct {
	// Service is the address of the service.
	Service baseurl.URL
	// Timeout bounds a whole request.
	Timeout time.Duration
	// TrustedProxies are the peers whose X-Forwarded-For is trusted.
	TrustedProxies []netip.Prefix
	// Version is the program's.
	Version string
	// Logger gets one access line per request, internal faults and panics.
	Logger *slog.Logger
}

// Bridge serves the APIs of other clients.
type Bridge struct {
	timeout time.Duration
	logger  *slog.Logger
	clients *httpapi.Clients
	client  *client
	flight  *inFlight
	metrics *metrics
	mcp     http.Handler
	handler http.Handler
	routes  map[string]route
}

// route is a path with its method.
type route struct {
	api, method string
	serve       func(*exchange) error
}

// New returns a bridge. It opens no connection.
func New(c Config) *Bridge {
	b := &Bridge{
		timeout: c.Timeout,
		logger:  c.Logger,
		clients: httpapi.NewClients(c.TrustedProxies, c.Logger),
		flight:  newInFlight(),
	}
	b.metrics = newMetrics(func() float64 {
		all, _ := b.flight.state()
		return float64(all)
	})
	b.client = newClient(string(c.Service)+chatPath, b.metrics.repeated)
	b.mcp = newMCPHandler(newMCP(c.Version, progressEvery))
	b.routes = map[string]route{
		"/v1/responses":        {"responses", http.MethodPost, (*exchange).serveResponses},
		"/v1/chat/completions": {"chat_completions", http.MethodPost, (*exchange).serveChat},
		"/v1/models":           {"models", http.MethodGet, (*exchange).serveModels},
		"/mcp":                 {"mcp", http.MethodPost, (*exchange).serveMCP},
	}
	b.handler = b.clients.Handler(http.HandlerFunc(b.serve))
	return b
}

// ServeHTTP serves one request. Put it behind the Bodies of Bodies.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.handler.ServeHTTP(w, r) }

// Metrics serves the metrics.
func (b *Bridge) Metrics() http.Handler { return b.metrics.handler() }

// Bodies bounds the time and the memory of requests' bodies. limit is the memory that the process
// may use in bytes, 0 for no limit. Networks share the memory, because anyone can make up keys.
func (b *Bridge) Bodies(limit int64) httpapi.Bodies {
	return httpapi.Bodies{
		Memory: memory.Bytes(min(bodyMemory, memory.NewBudget(limit).Size())),
		Account: func(r *http.Request) uuid.UUID {
			return uuid.UUID(share.Network(b.clients.Address(r)).Addr().As16())
		},
	}
}

// Wait waits until no request is in flight.
func (b *Bridge) Wait(ctx context.Context) error {
	for {
		all, idle := b.flight.state()
		if all == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// exchange is one request with its answer.
type exchange struct {
	*httpapi.Exchange
	bridge *Bridge
	api    string
	key    apikey.Key
	// entered says that the request counts as in flight.
	entered bool
	// passed is the header of the service's answer.
	passed http.Header
}

// writeMargin is the time after the timeout in which a client must have received its response.
const writeMargin = 30 * time.Second

func (b *Bridge) serve(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(b.timeout + writeMargin))
	ctx, cancel := context.WithTimeout(r.Context(), b.timeout)
	defer cancel()
	ex := &exchange{Exchange: httpapi.NewExchange(w, r.WithContext(ctx), b.logger), bridge: b, api: "other"}
	defer func() {
		a := ex.Finish()
		b.metrics.observe(ex.api, a.Status, a.Duration)
	}()
	defer ex.Recover(func() { ex.refuse(asRefusal(fault.New(fault.Internal, ""))) }) // a refusal: the panic is in the log
	if err := ex.route(); err != nil {
		ex.refuse(err)
	}
}

// route checks what holds for all paths, and serves the request.
func (ex *exchange) route() error {
	found, known := ex.bridge.routes[ex.R.URL.Path]
	if known && ex.R.URL.RawPath == "" {
		ex.api, ex.Access.Route = found.api, ex.R.URL.Path
	}
	switch {
	case len(ex.R.Header["Origin"]) > 0: // a page has no key of its own
		return fault.New(codeOrigin, "Web pages cannot call the bridge, because they would show the key. "+
			"Call it from your server.")
	case ex.Access.Route == "":
		return fault.New(fault.NotFound, "This path does not exist. The bridge has /v1/responses, "+
			"/v1/chat/completions, /v1/models and /mcp.")
	case ex.R.Method != found.method:
		ex.W.Header().Set("Allow", found.method)
		return fault.New(httpapi.MethodNotAllowed, "This path accepts only "+found.method+".")
	}
	var ok bool
	if ex.key, ok = apikey.Parse(httpapi.BearerToken(ex.R.Header)); !ok {
		return fault.New(fault.Unauthorized, "")
	}
	defer ex.leave()
	return found.serve(ex)
}

// enter counts the request as in flight. Its body must have arrived, because anyone can invent keys and
// send bodies slowly.
func (ex *exchange) enter() error {
	if ex.entered = ex.bridge.flight.enter(ex.key.Hash()); !ex.entered {
		return unavailable("Too many requests are in progress. Try again shortly, or send fewer at once.")
	}
	return nil
}

func (ex *exchange) leave() {
	if ex.entered {
		ex.bridge.flight.leave(ex.key.Hash())
	}
}

// refuse answers with an error. After errGone, it breaks the connection: a client that has closed only
// its sending side must not read an empty success.
func (ex *exchange) refuse(err error) {
	if errors.Is(err, errGone) {
		ex.Access.Code = codeGone
		panic(http.ErrAbortHandler)
	}
	refused := asRefusal(err)
	ex.Access.Code = refused.code
	if _, ready := errors.AsType[*refusal](err); !ready && refused.code == string(fault.Internal) {
		ex.LogFault("internal fault", slog.String("error", err.Error()))
	}
	ex.logCause(refused)
	ex.pass()
	header := ex.W.Header()
	if refused.status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if refused.retryAfter != "" {
		header.Set("Retry-After", refused.retryAfter)
	}
	header.Set("X-Should-Retry", "false")
	if refused.retryable() && !refused.final {
		header.Set("X-Should-Retry", "true")
	}
	ex.SendJSON(refused.status, append(httpapi.Encode(errorBody{refused.object()}), '\n'))
}

// logCause logs why the service has no usable answer, at most once a minute.
func (ex *exchange) logCause(refused *refusal) {
	if refused.cause != nil {
		ex.LogUnavailable(fault.Wrap(fault.Unavailable, refused.cause))
	}
}

// passedBack are the headers of the service that the client gets.
var passedBack = []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Idempotent-Replayed"}

func (ex *exchange) pass() {
	for _, name := range passedBack {
		if value := ex.passed.Get(name); value != "" {
			ex.W.Header().Set(name, value)
		}
	}
}
