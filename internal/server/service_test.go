package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/internal/server"
)

// gate is a handler that holds each request until the test lets it answer.
type gate struct {
	entered chan struct{}
	release chan struct{}
}

func newGate() *gate { return &gate{entered: make(chan struct{}, 8), release: make(chan struct{})} }

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/slow" {
		_, _ = io.WriteString(w, "quick")
		return
	}
	g.entered <- struct{}{}
	select {
	case <-g.release:
		_, _ = io.WriteString(w, "finished")
	case <-r.Context().Done():
	}
}

type outcome struct {
	answer
	err error
}

// slow sends a request that the gate keeps, and returns once the gate has it.
func slow(t *testing.T, r *running, g *gate) <-chan outcome {
	t.Helper()
	done := make(chan outcome, 1)
	go func() {
		a, err := do(t, http.MethodGet, r.url+"/slow", nil)
		done <- outcome{a, err}
	}()
	receive(t, "the slow request's arrival", g.entered)
	return done
}

func refusesConnections(t *testing.T, address string) bool {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err == nil {
		_ = conn.Close()
	}
	return err != nil
}

// TestShutdownInOrder checks the steps of a shutdown: not ready, keep serving, accept no more, end
// the requests in progress, wait for the turns, flush.
func TestShutdownInOrder(t *testing.T) {
	t.Parallel()
	g, order := newGate(), &lockedLog{}
	turns := make(chan struct{})
	r := run(t, g, func(s *server.Service) {
		s.ShutdownDelay = 2 * time.Second
		s.Wait = func(ctx context.Context) error {
			_, _ = order.Write([]byte("wait "))
			select {
			case <-turns:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		s.Work = func(ctx context.Context) error {
			<-ctx.Done()
			_, _ = order.Write([]byte("flush"))
			return nil
		}
	})
	until(t, "ready", func() bool { status, _ := r.ready(t); return status == http.StatusOK })
	if a := raw(t, r.address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); a.text != "quick" || a.Close {
		t.Fatalf("before the shutdown: %q, asked to close: %v", a.text, a.Close)
	}
	pending := slow(t, r, g)

	r.stop()
	until(t, "draining", func() bool { _, state := r.ready(t); return state == "draining" })
	// A client that would keep its connection opens one during the delay.
	during := raw(t, r.address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if during.text != "quick" || !during.Close {
		t.Errorf("during the delay: %q, asked to close: %v", during.text, during.Close)
	}
	until(t, "no connection is accepted", func() bool { return refusesConnections(t, r.address) })
	select {
	case o := <-pending:
		t.Fatalf("the request in progress ended early: %+v", o)
	case err := <-r.ended:
		t.Fatalf("Run ended with a request in progress: %v", err)
	default:
	}
	if _, state := r.ready(t); state != "draining" {
		t.Errorf("/readyz is %q while requests are in progress, want draining", state)
	}
	if got := order.String(); got != "" && got != "wait " {
		t.Errorf("before the request in progress was answered: %s", got)
	}
	close(g.release)
	if o := receive(t, "the answer in progress", pending); o.err != nil || o.text != "finished" {
		t.Errorf("the request in progress was cut: %v", o.err)
	}
	until(t, "the wait for the turns", func() bool { return order.String() == "wait " })
	close(turns)
	if err := receive(t, "the end", r.ended); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	// The second wait is for a turn that a slow request may have begun.
	if got, want := order.String(), "wait wait flush"; got != want {
		t.Errorf("order = %q, want %q", got, want)
	}
}

// TestDrainIsBounded checks that requests and turns that do not end are cut at the drain timeout,
// without an error.
func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	g := newGate()
	var waited error
	r := run(t, g, func(s *server.Service) {
		s.DrainTimeout = 50 * time.Millisecond
		s.Wait = func(ctx context.Context) error { <-ctx.Done(); waited = ctx.Err(); return waited }
	})
	pending := slow(t, r, g)
	r.stop()
	if err := receive(t, "the end", r.ended); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	if o := receive(t, "the cut request", pending); o.err == nil {
		t.Errorf("the endless request was answered: %q", o.text)
	}
	if waited == nil {
		t.Error("the turns were not waited for")
	}
}

// TestDatabaseDies checks that Run returns ErrDied at once when the database dies, in every phase.
func TestDatabaseDies(t *testing.T) {
	t.Parallel()
	for _, phase := range []string{"ready", "delay", "drain"} {
		died := make(chan struct{})
		g := newGate()
		r := run(t, g, func(s *server.Service) {
			s.Died = died
			// Only the death ends the phase.
			if s.DrainTimeout = time.Hour; phase == "delay" {
				s.ShutdownDelay = time.Hour
			}
		})
		pending := slow(t, r, g)
		switch phase {
		case "delay":
			r.stop()
			until(t, "draining", func() bool { _, state := r.ready(t); return state == "draining" })
		case "drain":
			r.stop()
			until(t, "no connection is accepted", func() bool { return refusesConnections(t, r.address) })
		}
		close(died)
		if err := receive(t, "the end", r.ended); !errors.Is(err, server.ErrDied) {
			t.Errorf("%s: Run = %v, want ErrDied", phase, err)
		}
		if o := receive(t, "the request in progress", pending); o.err == nil {
			t.Errorf("%s: a request was answered without a database: %q", phase, o.text)
		}
	}
}

func TestWorkThatFailsEndsTheService(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		err  error
		want string
	}{{"an error", broken, "broken"}, {"an early end", nil, "ended unexpectedly"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, newGate(), func(s *server.Service) {
				s.Work = func(context.Context) error { return c.err }
			})
			if err := receive(t, "the end", r.ended); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Run = %v, want it to say %q", err, c.want)
			}
		})
	}
}

func TestListenerThatEndsEndsTheService(t *testing.T) {
	t.Parallel()
	r := run(t, newGate(), nil)
	until(t, "ready", func() bool { status, _ := r.ready(t); return status == http.StatusOK })
	_ = r.service.Listener.Close()
	if err := receive(t, "the end", r.ended); err == nil || !strings.Contains(err.Error(), "listener") {
		t.Errorf("Run = %v", err)
	}
}
