package store_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
)

// refusedWith fails the test unless an error is a conflict with a part of its text.
func refusedWith(t *testing.T, name string, err error, part string) {
	t.Helper()
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: %v, want a conflict with %q", name, err, part)
	}
}
