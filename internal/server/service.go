package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"

	"agentchat/internal/httpapi"
)

// Bounds of the public listener. The APIs bound bodies and replies.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 30 * time.Second
	maxHeaderBytes = 32 << 10
	// abruptTimeout is the time for requests in progress to end after the database has died.
	abruptTimeout = 2 * time.Second
)

// Times of the drain, in their order. Without turns it ends after answerGrace and writeGrace at the
// latest, and otherwise soon after the last turn, whatever clients do.
const (
	// bodyGrace is the time for the rest of arriving bodies.
	bodyGrace = time.Second
	// answerGrace is the time for requests that are not turns, or have not begun theirs, from the
	// start of the drain.
	answerGrace = 2 * time.Second
	// writeGrace is the time for clients to receive their responses, after answerGrace and the last
	// turn.
	writeGrace = 2 * time.Second
)

// ErrDied is returned by Run when the database ended unexpectedly.
var ErrDied = errors.New("server: the database ended unexpectedly")

// Service is one run of the service: what it serves, and what it waits for before it ends.
type Service struct {
	Logger   *slog.Logger
	Handler  http.Handler
	Listener net.Listener
	Ops      *Ops
	// Bodies bounds the time of the requests' bodies.
	Bodies httpapi.Bodies
	// Connections is the most clients connected at once, while more wait to be accepted; zero means
	// MaxConnections.
	Connections int
	// HeaderTimeout bounds the time of a request's header, and IdleTimeout the time between a response
	// and the next request; zero means 10 s and 30 s.
	HeaderTimeout, IdleTimeout time.Duration
	// Check reports whether the database is ready for chats, for /readyz.
	Check func(context.Context) error
	// Work is the background work. It runs until its context ends, and then flushes what it still has.
	Work func(context.Context) error
	// Drain ends the waits of requests that joined another one's turn, so that their callers retry on
	// another replica.
	Drain func()
	// Wait waits until no turn is in progress; turns continue when their clients have left.
	Wait func(context.Context) error
	// Died is closed when the database ends unexpectedly; nil when it is not a child of this process.
	Died <-chan struct{}
	// ShutdownDelay is the time during which requests are still served after /readyz has changed to
	// 503.
	ShutdownDelay time.Duration
	// DrainTimeout bounds the time of the turns in progress after that.
	DrainTimeout time.Duration

	draining atomic.Bool
}

// Run serves until ctx ends and then shuts down in order: not ready, keep serving for the delay,
// accept no more, end the turns in progress, flush the background work. It returns nil after such a
// shutdown, ErrDied when the database ended unexpectedly, and otherwise what failed. Call it once.
// Close what the service depends on after it returns.
func (s *Service) Run(ctx context.Context) error {
	own := context.WithoutCancel(ctx)
	work, stopWork := context.WithCancel(own)
	defer stopWork()
	connections := cmp.Or(s.Connections, MaxConnections)
	listener, server := netutil.LimitListener(s.Listener, connections), s.httpServer(own, connections)

	group, failed := errgroup.WithContext(own)
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("server: the public listener ended: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		if err := s.Work(work); err != nil && work.Err() == nil {
			return fmt.Errorf("server: the background work failed: %w", err)
		}
		if work.Err() == nil {
			return errors.New("server: the background work ended unexpectedly")
		}
		return nil
	})
	group.Go(func() error {
		defer stopWork()
		select {
		case <-ctx.Done():
			return s.shutDown(own, server, failed.Done())
		case <-s.Died:
			s.stopNow(own, server)
			return ErrDied
		case <-failed.Done():
			s.stopNow(own, server)
			return nil // the group returns what failed
		}
	})
	s.Ops.Ready(s.Check)
	return group.Wait()
}

// shutDown ends the service in order. When the database ends in the meantime there is nothing left
// to wait for.
func (s *Service) shutDown(ctx context.Context, server *http.Server, failed <-chan struct{}) error {
	s.Ops.Drain()
	s.draining.Store(true)
	s.Logger.InfoContext(ctx, "shutting down", slog.Duration("delay", s.ShutdownDelay))
	delay := time.NewTimer(s.ShutdownDelay)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-s.Died:
		s.stopNow(ctx, server)
		return ErrDied
	case <-failed:
		s.stopNow(ctx, server)
		return nil
	}

	drain, cancel := context.WithTimeout(ctx, s.DrainTimeout)
	defer cancel()
	stopWatching := s.cancelWhenDied(drain, cancel)
	defer stopWatching()
	s.drain(drain, server)
	select {
	case <-s.Died:
		return ErrDied
	default:
		s.Logger.InfoContext(ctx, "stopped serving")
		return nil
	}
}

// drain accepts no more connections, waits for the turns in progress, and then closes everything.
// Clients that send or receive slowly do not delay it.
func (s *Service) drain(ctx context.Context, server *http.Server) {
	s.Drain()
	closing, cut := context.WithCancel(ctx)
	defer cut()
	var err error
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		err = server.Shutdown(closing)
	}()
	s.Bodies.Hurry(bodyGrace)
	grace := time.NewTimer(answerGrace)
	defer grace.Stop()
	select {
	case <-closed:
	case <-grace.C:
	}
	if err := s.Wait(ctx); err != nil {
		s.Logger.WarnContext(ctx, "turns were still in progress when the drain timeout ended; "+
			"their holds will expire and nothing is charged", slog.Any("error", err))
	}
	defer time.AfterFunc(writeGrace, cut).Stop()
	if <-closed; err != nil {
		s.Logger.WarnContext(ctx, "connections were still open at the end of the drain, and were closed", slog.Any("error", err))
		_ = server.Close()
	}
	_ = s.Wait(ctx) // for a turn that a slow request has begun since
}

// cancelWhenDied cancels the drain when the database ends unexpectedly.
func (s *Service) cancelWhenDied(ctx context.Context, cancel context.CancelFunc) (stop func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-s.Died:
			cancel()
		case <-ctx.Done():
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// stopNow ends everything within seconds: requests in progress can only fail.
func (s *Service) stopNow(ctx context.Context, server *http.Server) {
	s.Ops.Drain()
	s.draining.Store(true)
	brief, cancel := context.WithTimeout(ctx, abruptTimeout)
	defer cancel()
	if err := server.Shutdown(brief); err != nil {
		_ = server.Close()
	}
}

func (s *Service) httpServer(ctx context.Context, connections int) *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:           s.Bodies.Handler(http.HandlerFunc(s.serve)),
		Protocols:         &protocols,
		ReadHeaderTimeout: cmp.Or(s.HeaderTimeout, headerTimeout),
		IdleTimeout:       cmp.Or(s.IdleTimeout, idleTimeout),
		MaxHeaderBytes:    maxHeaderBytes,
		// "OPTIONS *" is answered like any other path that does not exist.
		DisableGeneralOptionsHandler: true,
		BaseContext:                  func(net.Listener) context.Context { return ctx },
		ConnState:                    warnWhenFull(connections, s.Logger),
		ErrorLog:                     slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
}

// serve closes each connection after its next response while the service drains. By the end of the
// delay the load balancer's pooled connections have ended, without closing one during a request.
func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		w.Header().Set("Connection", "close")
	}
	s.Handler.ServeHTTP(w, r)
}
