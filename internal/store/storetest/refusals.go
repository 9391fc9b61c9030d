package storetest

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
)

// RefusedWith fails the test unless an error is a conflict whose text contains part.
func RefusedWith(t *testing.T, name string, err error, part string) {
	t.Helper()
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: %v, want conflict with %q", name, err, part)
	}
}
