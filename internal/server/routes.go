package server

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"agentchat/internal/httpapi"
)

// Routes are the parts of the public listener.
type Routes struct {
	// REST serves /v1 and every path that nothing else serves, with its 404. Browsers get the panel's
	// 404 instead, outside /v1.
	REST http.Handler
	// GraphQL serves /graphql; nil leaves the path to REST's 404.
	GraphQL http.Handler
	// OpenAPI serves /openapi.yaml; nil leaves the path to REST's 404.
	OpenAPI http.Handler
	// Schema serves /schema.graphql; nil leaves the path to REST's 404.
	Schema http.Handler
	// Download serves /download/account; nil leaves the path to REST's 404.
	Download http.Handler
	// Panel holds the built control panel: index.html, explorer.html and assets/.
	Panel fs.FS
	// HTTPS means that the public URL is https, so every response makes browsers use only https.
	HTTPS bool
	// TrustedProxies are the peers whose X-Forwarded-For is trusted. With none, the client is the
	// peer.
	TrustedProxies []netip.Prefix
	// Logger gets a warning when their header cannot be read.
	Logger *slog.Logger
	// ResponseTimeout bounds the time from a request's header to the last byte of its response.
	ResponseTimeout time.Duration
}

// NewHandler returns the public listener's handler. It never redirects: a client that follows a
// redirect could send its key and its message to another address or lose its body.
// httpapi.ClientAddress returns the client's address. The error says what is wrong with the panel's
// files.
func NewHandler(routes Routes) (http.Handler, error) {
	panel, err := newPanel(routes.Panel, routes.REST)
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(httpapi.NewClients(routes.TrustedProxies, routes.Logger).Handler)
	if routes.HTTPS {
		r.Use(middleware.SetHeader("Strict-Transport-Security", "max-age=31536000"))
	}
	// REST serves every other path, /v1 included, unless a person mistyped one. chi calls
	// MethodNotAllowed for unknown methods on any path: REST refuses those too.
	r.NotFound(panel.serveUnknown)
	r.MethodNotAllowed(routes.REST.ServeHTTP)
	if routes.GraphQL != nil {
		r.Handle("/graphql", routes.GraphQL)
	}
	if routes.OpenAPI != nil {
		r.Handle("/openapi.yaml", routes.OpenAPI)
	}
	if routes.Schema != nil {
		r.Handle("/schema.graphql", routes.Schema)
	}
	if routes.Download != nil {
		r.Handle("/download/account", routes.Download)
	}
	panel.mount(r)
	return boundResponse(routes.ResponseTimeout)(r), nil
}

// boundResponse gives every response a write deadline. A handler that needs another, such as a
// stream, sets its own. A server-wide WriteTimeout would start with the header and could not be
// extended.
func boundResponse(timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Recorders in tests have no deadlines.
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeout))
			next.ServeHTTP(w, r)
		})
	}
}
