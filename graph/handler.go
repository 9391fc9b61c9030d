package graph

import (
	"cmp"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/graph/generated"
	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/foreign"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/topup"
	"agentchat/internal/webhook"
)

// Config configures the API.
type Config struct {
	Store     *store.DB
	Chat      *chat.Service
	Identity  *identity.Service
	Catalogue *catalogue.Live
	Logger    *slog.Logger
	// Observe is called once per request after its response, for metrics; nil for none. It must not
	// block.
	Observe func(httpapi.AccessRecord)
	// Info is the response of serviceInfo. Its BaseURL decides whether cookies are Secure.
	Info Info
	// Shop sells credits; nil for none.
	Shop *topup.Shop
	// Webhooks manages owners' webhooks; nil if they are off.
	Webhooks *webhook.Owners
	// Statuses are the REST API's HTTP statuses by code.
	Statuses map[fault.Kind]int
	// AllowedOrigins are exact origins whose pages may call the API with credentials.
	AllowedOrigins []string
	// RefusalDelay is the time after which an error for a document without a token is sent; 0 means
	// half a second.
	RefusalDelay time.Duration
	// SignInCheck is the interval between two checks of a stream's sign-in; 0 means 10 s.
	SignInCheck time.Duration
}

// Info is public information about the service.
type Info struct {
	Version, BaseURL, CreditsHelp, SupportContact string
	// BridgeURL is the public address of the bridge; empty without one.
	BridgeURL string
	// Mail reports whether the service sends mail.
	Mail bool
	// RefusedRetention is the time for which rejected requests are kept.
	RefusedRetention time.Duration
	// RetentionDays is the service's retention of conversations; 0 for none.
	RetentionDays int
}

const defaultRefusalDelay = 500 * time.Millisecond

// cachedDocuments is the size of the cache of parsed documents. The panel has some dozens. Other
// limits bound each document's size.
const cachedDocuments = 200

// endpoint serves /graphql.
type endpoint struct {
	logger   *slog.Logger
	observe  func(httpapi.AccessRecord)
	identity *identity.Service
	origins  []string
	guard    *http.CrossOriginProtection
	secure   bool
	// signInCheck is the interval between two checks of a stream's sign-in.
	signInCheck time.Duration
	resolver    *Resolver
	shares      *share.Shares
	// refusals delays errors for documents without a token.
	refusals *share.Delay
	server   http.Handler
}

// NewHandler returns the handler of /graphql. The error names an origin that is not valid.
func NewHandler(config Config) (http.Handler, error) {
	h := &endpoint{
		logger:      config.Logger,
		observe:     config.Observe,
		identity:    config.Identity,
		origins:     config.AllowedOrigins,
		guard:       http.NewCrossOriginProtection(),
		secure:      strings.HasPrefix(config.Info.BaseURL, "https://"),
		signInCheck: cmp.Or(config.SignInCheck, defaultSignInCheck),
		shares:      newShares(),
		refusals:    share.NewDelay(cmp.Or(config.RefusalDelay, defaultRefusalDelay)),
	}
	if h.observe == nil {
		h.observe = func(httpapi.AccessRecord) {}
	}
	for _, origin := range config.AllowedOrigins {
		if err := h.guard.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	h.resolver = &Resolver{
		store: config.Store, chat: config.Chat, identity: config.Identity, catalogue: config.Catalogue, info: config.Info,
		shop: config.Shop, webhooks: config.Webhooks, statuses: config.Statuses,
		foreign:  foreign.NewReader(),
		tests:    newTestSlots(),
		examples: make(chan struct{}, 1),
	}
	server := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: h.resolver}))
	server.AddTransport(transport{h})
	server.SetQueryCache(lru.New[*ast.QueryDocument](cachedDocuments))
	server.SetParserTokenLimit(maxTokens)
	server.SetDisableSuggestion(true)
	server.SetErrorPresenter(present)
	server.SetRecoverFunc(recovered)
	server.SetValidationRulesFn(validationRules)
	server.Use(documentLimits{h})
	server.Use(itemLimit{})
	server.AroundRootFields(denyByDefault)
	server.AroundRootFields(h.resolver.freshLoaders)
	server.AroundFields(faultsOnly)
	server.AroundFields(withinBudget)
	h.server = server
	return h, nil
}

// serve checks the request's format and origin and runs its operation.
func (h *endpoint) serve(req *request) {
	if h.crossOrigin(req.W, req.R) {
		req.WriteHeader(http.StatusNoContent)
		return
	}
	req.token = httpapi.BearerToken(req.R.Header)
	if err := h.check(req); err != nil {
		req.refuse(err)
		return
	}
	h.server.ServeHTTP(req.W, req.R.WithContext(h.resolver.withLoaders(req.R.Context())))
}

// check refuses requests from pages of other sites, and anything but a GET or a POST of JSON or
// multipart.
func (h *endpoint) check(req *request) error {
	var err error
	switch req.R.Method {
	case http.MethodGet:
		err = checkGET(req)
	case http.MethodPost:
		if req.boundary, err = httpapi.CheckMultipart(req.R.Header); err == nil && req.boundary == "" {
			err = httpapi.CheckJSON(req.R.Header)
		}
	default:
		req.W.Header().Set("Allow", "GET, POST")
		err = fault.New(httpapi.MethodNotAllowed, "GraphQL accepts POST, and GET for queries.")
	}
	if err == nil {
		err = h.recognize(req)
	}
	if err == nil && req.boundary != "" && req.sender == "" {
		err = fault.New(
			fault.Unauthorized,
			"A request with a file needs an access token in its header Authorization.",
		)
	}
	if err == nil {
		err = httpapi.CheckDeclaredSize(req.W, req.R, h.bodyLimit(req))
	}
	if err != nil {
		return err
	}
	// The guard allows every GET, so it gets a POST.
	asPost := *req.R
	asPost.Method = http.MethodPost
	if err := h.guard.Check(&asPost); err != nil {
		return fault.New(forbidden, "This request came from another site's page.")
	}
	return nil
}

// recognize checks, before the body is read, whether the service issued the request's token. The
// signature of an access token shows that even if it has expired; an account token is looked up.
// Faults: those of authenticate but Unauthorized.
func (h *endpoint) recognize(req *request) error {
	if user, ok := h.identity.UserOf(req.token); ok {
		req.sender = user.String()
		return nil
	}
	if _, ok := apikey.ParseToken(req.token); !ok {
		return nil
	}
	err := h.authenticate(req.R.Context(), req)
	switch {
	case err == nil:
		req.sender = req.principal.TokenID.String()
	case fault.Is(err, fault.Unauthorized):
		req.token = "" // so that it is not looked up again
		return nil
	}
	return err
}

// allowedHeaders are the request headers that another origin's panel may send: its own, those of
// tracing (W3C Trace Context and Baggage, Sentry), and those that Apollo Client adds.
const allowedHeaders = "Authorization, Content-Type, X-Request-Id, X-Account-Id, Traceparent, Tracestate, Baggage, " +
	"Sentry-Trace, Apollo-Require-Preflight, apollographql-client-name, apollographql-client-version, x-apollo-operation-name"

// crossOrigin sets the headers for the operator's own panels (Fetch standard, CORS protocol). It
// reports whether the request is a preflight, which needs no more than these headers.
func (h *endpoint) crossOrigin(w http.ResponseWriter, r *http.Request) (preflight bool) {
	if len(h.origins) == 0 {
		return false
	}
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(h.origins, origin) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Allow-Credentials", "true")
	w.Header().Set("Access-Control-Expose-Headers", "X-Request-Id")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
	w.Header().Set("Access-Control-Allow-Headers", allowedHeaders)
	w.Header().Set("Access-Control-Max-Age", "600")
	return true
}
