// Package testlong marks the tests that make test skips: tests that inevitably take minutes, and
// tests that run whole processes for rules that faster tests also check.
package testlong

import (
	"os"
	"testing"
)

// Only skips the test unless make test-long runs it. .ci/long lists all such tests.
func Only(t testing.TB) {
	t.Helper()
	if os.Getenv("AGENTCHAT_TEST_LONG") == "" {
		t.Skip("make test-long runs it")
	}
}
