package storetest

import (
	"testing"

	"agentchat/internal/fault"
)

// AtOnce runs work n times concurrently and returns the number of successes. Every failure must be
// of the kind.
func AtOnce(t *testing.T, n int, want fault.Kind, work func() error) int {
	t.Helper()
	errs := make(chan error, n)
	for range n {
		go func() { errs <- work() }()
	}
	succeeded := 0
	for range n {
		switch err := <-errs; {
		case err == nil:
			succeeded++
		case !fault.Is(err, want):
			t.Errorf("got %v, want %s", err, want)
		}
	}
	return succeeded
}
