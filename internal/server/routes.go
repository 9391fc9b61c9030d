package server

import (
	"io/fs"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Routes are the parts of the public listener.
type Routes struct {
	// REST serves /v1 and whatever nothing else serves: its 404 is everybody's.
	REST http.Handler
	// GraphQL serves /graphql; nil leaves the path to REST's 404.
	GraphQL http.Handler
	// OpenAPI serves /openapi.yaml; nil leaves the path to REST's 404.
	OpenAPI http.Handler
	// Panel holds the built control panel: index.html, explorer.html and assets/.
	Panel fs.FS
	// TrustedProxies are the peers from which X-Forwarded-For is read. With none, a client is whoever connected.
	TrustedProxies []netip.Prefix
	// ResponseTimeout bounds the time from a request's header to the last byte of its response.
	ResponseTimeout time.Duration
}

// NewHandler returns the public listener's handler. No path is ever redirected: a client that was redirected could send its
// key and its message to another address or lose its body. GraphQL finds the client's address in the request's context, by
// middleware.GetClientIP. The error says what is wrong with the panel's files.
func NewHandler(routes Routes) (http.Handler, error) {
	panel, err := newPanel(routes.Panel, routes.REST)
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(clientIP(routes.TrustedProxies))
	// chi hands methods that it does not know to MethodNotAllowed, whatever the path: those are REST's to refuse as well.
	r.NotFound(routes.REST.ServeHTTP)
	r.MethodNotAllowed(routes.REST.ServeHTTP)
	if routes.GraphQL != nil {
		r.Handle("/graphql", routes.GraphQL)
	}
	if routes.OpenAPI != nil {
		r.Handle("/openapi.yaml", routes.OpenAPI)
	}
	panel.mount(r)
	bounded := boundResponse(routes.ResponseTimeout)
	return bounded(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if path := req.URL.Path; path == "/v1" || strings.HasPrefix(path, "/v1/") {
			// Not by way of the router, whose state the streams here would hold for as long as they wait.
			routes.REST.ServeHTTP(w, req)
			return
		}
		r.ServeHTTP(w, req)
	})), nil
}

// boundResponse gives every response its own write deadline. A handler that knows better, such as a stream, sets another.
// A server-wide WriteTimeout would start with the header and could not be moved.
func boundResponse(timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// A writer without deadlines is one of a test's; the real one has them.
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeout))
			next.ServeHTTP(w, r)
		})
	}
}

func clientIP(trusted []netip.Prefix) func(http.Handler) http.Handler {
	if len(trusted) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	prefixes := make([]string, len(trusted))
	for i, prefix := range trusted {
		prefixes[i] = prefix.String()
	}
	return middleware.ClientIPFromXFF(prefixes...)
}
