package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
)

// ReadyTimeout bounds the check of the database for /readyz.
const ReadyTimeout = 2 * time.Second

const (
	// opsConnections bounds the operator's listener: probes and scrapers are few. Where few files may
	// be open, it gets one of opsFiles of them, and at least leastOps.
	opsConnections = 200
	opsFiles       = 16
	leastOps       = 8
)

// The states that /readyz reports, besides the reasons of a store.NotReadyError.
const (
	stateStarting = "starting"
	stateReady    = "ready"
	stateDraining = "draining"
)

// Ops is the operator's listener: /livez, /readyz and /metrics. It starts before the database and
// stops after it, so that a long migration does not look like a dead process. Its paths are never
// served on the public listener.
type Ops struct {
	check    atomic.Pointer[func(context.Context) error]
	draining atomic.Bool
	// kept says why the models were not reloaded; nil or empty when they were.
	kept atomic.Pointer[string]
	// shown reads the state of each outbox by its name.
	shown  sync.Map
	mux    *http.ServeMux
	logger *slog.Logger
}

// NewOps returns the handler of the operator's listener, which is not ready until Ready is called.
func NewOps(metrics http.Handler, logger *slog.Logger) *Ops {
	o := &Ops{mux: http.NewServeMux(), logger: logger}
	o.mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "alive"})
	})
	o.mux.HandleFunc("GET /readyz", o.serveReady)
	o.mux.Handle("GET /metrics", metrics)
	return o
}

// Ready says that requests are served from now on. check reports whether the database is ready for
// chats; it is called for each /readyz, and its *store.NotReadyError says why not.
func (o *Ops) Ready(check func(context.Context) error) { o.check.Store(&check) }

// Drain makes /readyz answer 503 from now on.
func (o *Ops) Drain() { o.draining.Store(true) }

// ModelsKept sets the reason why the last reload of the models failed, so that the earlier ones
// stay in use; "" means that it succeeded. /readyz?verbose shows it.
func (o *Ops) ModelsKept(why string) { o.kept.Store(&why) }

// Show adds an outbox to /readyz?verbose, under a name: how many messages wait and why, and how
// many ended without success.
func (o *Ops) Show(name string, read func(context.Context) (notifications.OutboxState, error)) {
	o.shown.Store(name, read)
}

// ServeHTTP serves the operator's three paths.
func (o *Ops) ServeHTTP(w http.ResponseWriter, r *http.Request) { o.mux.ServeHTTP(w, r) }

func (o *Ops) serveReady(w http.ResponseWriter, r *http.Request) {
	check := o.check.Load()
	switch {
	case o.draining.Load():
		o.writeReady(w, r, http.StatusServiceUnavailable, stateDraining)
	case check == nil:
		o.writeReady(w, r, http.StatusServiceUnavailable, stateStarting)
	default:
		ctx, cancel := context.WithTimeout(r.Context(), ReadyTimeout)
		defer cancel()
		if err := (*check)(ctx); err != nil {
			o.logger.WarnContext(ctx, "not ready: the database refuses what a chat needs", slog.Any("error", err))
			o.writeReady(w, r, http.StatusServiceUnavailable, reason(err))
			return
		}
		o.writeReady(w, r, http.StatusOK, stateReady)
	}
}

// writeReady adds to the state, with ?verbose, whether the models are those of their file, and how
// mail and webhooks are.
func (o *Ops) writeReady(w http.ResponseWriter, r *http.Request, status int, state string) {
	body := map[string]string{"status": state}
	if r.URL.Query().Has("verbose") {
		body["models"] = "as in their file"
		if why := o.kept.Load(); why != nil && *why != "" {
			body["models"] = "as before: " + *why
		}
		for name, read := range o.shown.Range {
			body[name.(string)] = outboxState(r.Context(), read.(func(context.Context) (notifications.OutboxState, error)))
		}
	}
	writeJSON(w, status, body)
}

func outboxState(ctx context.Context, read func(context.Context) (notifications.OutboxState, error)) string {
	ctx, cancel := context.WithTimeout(ctx, ReadyTimeout)
	defer cancel()
	state, err := read(ctx)
	if err != nil {
		return "unknown"
	}
	text := fmt.Sprintf("%d waiting, %d failed", state.Waiting, state.Failed)
	if state.Reason != "" {
		text += "; the oldest waits because: " + state.Reason
	}
	return text
}

// reason says in one word why the database is not ready.
func reason(err error) string {
	if refused, ok := errors.AsType[*store.NotReadyError](err); ok {
		return refused.Reason
	}
	return store.DatabaseUnavailable
}

func opsLimit(files int) int { return min(max(files/opsFiles, leastOps), opsConnections) }

func writeJSON(w http.ResponseWriter, status int, object map[string]string) {
	body, _ := json.Marshal(object) // a map of strings always encodes
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// Start serves on the listener until stop is called, which closes it and every connection at once.
func (o *Ops) Start(listener net.Listener) (stop func()) { return StartPrivate(o, listener, o.logger) }

// StartPrivate serves the operator's requests, which are few and short, until stop is called.
func StartPrivate(handler http.Handler, listener net.Listener, logger *slog.Logger) (stop func()) {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(netutil.LimitListener(listener, opsLimit(OpenFiles()))); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("an operator's listener ended", slog.Any("error", err))
		}
	}()
	return func() {
		_ = server.Close()
		<-ended
	}
}
