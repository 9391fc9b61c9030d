package faults

import (
	"os"
	"strconv"
	"testing"
)

// Full reports whether tests run at full length, as make test-faults runs them: AGENTCHAT_FAULTS is "full".
func Full() bool { return os.Getenv("AGENTCHAT_FAULTS") == "full" }

// Heavy skips a test that is too slow for make test. make test-faults runs it, and so does a run that sets AGENTCHAT_TEST_ROUNDS.
func Heavy(t testing.TB) {
	t.Helper()
	if !Full() && os.Getenv("AGENTCHAT_TEST_ROUNDS") == "" {
		t.Skip("too slow for make test; make test-faults runs it")
	}
}

// Times returns how often a test repeats its check: full at full length, otherwise AGENTCHAT_TEST_ROUNDS if it is set, or short.
func Times(short, full int) int {
	if Full() {
		return full
	}
	if rounds, err := strconv.Atoi(os.Getenv("AGENTCHAT_TEST_ROUNDS")); err == nil && rounds > 0 {
		return rounds
	}
	return short
}
