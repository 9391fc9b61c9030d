package llmtest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// timeout bounds every wait of a test. Nothing takes that long unless it hangs.
const timeout = 20 * time.Second

// Ask calls a model with a deadline that only a hang reaches. It checks that the emitted pieces add
// up to the reply, and applies CheckError to an error.
func Ask(t testing.TB, m llm.Model, req llm.Request, secrets ...string) (llm.Reply, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	var pieces strings.Builder
	reply, err := m.Generate(ctx, req, func(piece string) error {
		pieces.WriteString(piece)
		return nil
	})
	if err == nil && pieces.String() != reply.Text {
		t.Errorf("the pieces are %q, but the reply is %q", pieces.String(), reply.Text)
	}
	CheckError(t, err, secrets...)
	return reply, err
}

// CheckError fails the test if an error is not a model's fault, or if its text or that of a cause
// contains a URL or a secret.
func CheckError(t testing.TB, err error, secrets ...string) {
	t.Helper()
	if err == nil {
		return
	}
	switch fault.KindOf(err) {
	case fault.ModelError, fault.ModelUnavailable, fault.ModelTimeout, fault.ContentBlocked:
	default:
		t.Errorf("the error has the kind %q: %v", fault.KindOf(err), err)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, secret := range append([]string{"http://", "streamGenerateContent", "chat/completions"},
			secrets...) {
			if strings.Contains(e.Error(), secret) {
				t.Errorf("the error contains %q: %v", secret, e)
			}
		}
		if len(e.Error()) > 300 {
			t.Errorf("the error is %d bytes long", len(e.Error()))
		}
	}
}

// Attempts returns a context that counts the attempts that a model reports.
func Attempts(ctx context.Context) (observed context.Context, count func() (all, outages int)) {
	var mu sync.Mutex
	var all, outages int
	observed = llm.ObserveAttempts(ctx, func(a llm.Attempt) {
		mu.Lock()
		defer mu.Unlock()
		if all++; a.Outage {
			outages++
		}
	})
	return observed, func() (int, int) {
		mu.Lock()
		defer mu.Unlock()
		return all, outages
	}
}

// Answered waits until the server has finished n answers.
func (s *Server) Answered(t testing.TB, n int) {
	t.Helper()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for range n {
		select {
		case <-s.Done():
		case <-timer.C:
			t.Fatal("the model server is still answering: its connection was not closed")
		}
	}
}

// NoConnection waits until the server has finished its one answer and all its connections are
// closed.
func (s *Server) NoConnection(t testing.TB) {
	t.Helper()
	s.Answered(t, 1)
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		if opened, closed := s.Connections(); opened == closed {
			return
		}
		select {
		case <-ticker.C:
		case <-timer.C:
			t.Fatal("a connection to the model server is still open")
		}
	}
}

// Deadline is a context whose deadline passes when the test calls Pass, not by the clock.
type Deadline struct {
	context.Context
	// Pass makes the deadline pass. It can be called more than once.
	Pass   func()
	passed chan struct{}
}

// NewDeadline returns a context whose deadline has not passed.
func NewDeadline(t testing.TB) *Deadline {
	t.Helper()
	passed := make(chan struct{})
	return &Deadline{Context: t.Context(), passed: passed, Pass: sync.OnceFunc(func() {
		close(passed)
	})}
}

// Done is closed when the deadline has passed.
func (d *Deadline) Done() <-chan struct{} { return d.passed }

// Err returns context.DeadlineExceeded once the deadline has passed.
func (d *Deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
