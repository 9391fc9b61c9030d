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
	"agentchat/internal/chat"
	"agentchat/internal/identity"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// Config is what the API needs.
type Config struct {
	Store     *store.Store
	Chat      *chat.Service
	Identity  *identity.Service
	Catalogue *catalogue.Catalogue
	Logger    *slog.Logger
	// Observe is told of every request, for the metrics; may be nil.
	Observe func(Access)
	// Info is what serviceInfo answers; its BaseURL decides whether cookies are Secure.
	Info Info
	// AllowedOrigins are exact origins whose pages may call the API with credentials.
	AllowedOrigins []string
	// SignInCheck is how often a stream's sign-in is looked at; 0 means 10 s.
	SignInCheck time.Duration
}

// Info is what a client needs to know of the service before anybody signs in.
type Info struct {
	Version, BaseURL, CreditsHelp, SupportContact string
	SignUpOpen                                    bool
}

// Access is what is recorded of one request.
type Access struct {
	Status   int
	Code     string
	Duration time.Duration
}

// cachedDocuments bounds the cache of parsed documents: the panel has some dozens. The limits bound each one's size.
const cachedDocuments = 200

// endpoint is /graphql.
type endpoint struct {
	logger   *slog.Logger
	observe  func(Access)
	identity *identity.Service
	origins  []string
	guard    *http.CrossOriginProtection
	secure   bool
	check    time.Duration
	server   http.Handler
}

// NewHandler returns the handler of /graphql. The error says which origin is not one.
func NewHandler(config Config) (http.Handler, error) {
	h := &endpoint{logger: config.Logger, observe: config.Observe, identity: config.Identity, origins: config.AllowedOrigins,
		guard: http.NewCrossOriginProtection(), secure: strings.HasPrefix(config.Info.BaseURL, "https://"),
		check: cmp.Or(config.SignInCheck, signInCheckedEvery)}
	if h.observe == nil {
		h.observe = func(Access) {}
	}
	for _, origin := range config.AllowedOrigins {
		if err := h.guard.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	server := handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: &Resolver{
		store: config.Store, chat: config.Chat, identity: config.Identity, catalogue: config.Catalogue, info: config.Info,
	}}))
	server.AddTransport(post{h})
	server.SetQueryCache(lru.New[*ast.QueryDocument](cachedDocuments))
	server.SetParserTokenLimit(maxTokens)
	server.SetDisableSuggestion(true)
	server.SetErrorPresenter(presenter(config.Logger))
	server.SetRecoverFunc(recovered)
	server.Use(limits{})
	server.Use(itemLimit{})
	server.AroundRootFields(denyByDefault)
	server.AroundRootFields(freshForMutations)
	server.AroundFields(faultsOnly)
	server.AroundFields(withinBudget)
	h.server = server
	return h.track(h.serve), nil
}

// serve checks the request's form and origin and runs its operation.
func (h *endpoint) serve(ex *exchange, w http.ResponseWriter, r *http.Request) {
	if h.crossOrigin(w, r) {
		ex.status = http.StatusNoContent
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if refused := checkForm(r); refused != nil {
		if refused.status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		ex.refuse(refused.status, refused.code, refused.message)
		return
	}
	if err := h.guard.Check(r); err != nil {
		ex.refuse(http.StatusForbidden, codeForbidden, "This request came from another site's page.")
		return
	}
	ex.token = bearerToken(r)
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	r = r.WithContext(withBatches(r.Context()))
	h.server.ServeHTTP(w, r)
}

// crossOrigin answers the browsers of the operator's own panels (Fetch standard, CORS protocol); it reports whether the
// request was a preflight and is answered with that.
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
	w.Header().Set("Access-Control-Expose-Headers", headerRequestID)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", http.MethodPost)
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id")
	w.Header().Set("Access-Control-Max-Age", "600")
	return true
}

// bearerToken takes the access token from the one Authorization header (RFC 6750, 2.1); "" for anything else.
func bearerToken(r *http.Request) string {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimLeft(token, " ")
}
