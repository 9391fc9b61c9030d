// Package testlong marks the tests that make test leaves out, because they take minutes by their nature.
package testlong

import (
	"os"
	"testing"
)

// Only skips the test unless make test-long runs it. .ci/long lists all such tests.
func Only(t testing.TB) {
	t.Helper()
	if os.Getenv("AGENTCHAT_TEST_LONG") == "" {
		t.Skip("it takes long: make test-long runs it")
	}
}
