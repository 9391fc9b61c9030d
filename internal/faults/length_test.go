package faults_test

import (
	"testing"

	"agentchat/internal/faults"
)

// TestLength: what the two variables make of a heavy test and of a number of rounds.
func TestLength(t *testing.T) {
	for _, c := range []struct {
		faults, rounds string
		times          int
		skipped        bool
	}{
		{"", "", 2, true}, {"full", "", 50, false}, {"", "7", 7, false}, {"full", "7", 50, false}, {"short", "none", 2, false},
	} {
		t.Run(c.faults+" "+c.rounds, func(t *testing.T) {
			t.Setenv("AGENTCHAT_FAULTS", c.faults)
			t.Setenv("AGENTCHAT_TEST_ROUNDS", c.rounds)
			if got := faults.Times(2, 50); got != c.times {
				t.Errorf("%d times, want %d", got, c.times)
			}
			skipped := true
			t.Run("heavy", func(t *testing.T) {
				defer func() { skipped = t.Skipped() }()
				faults.Heavy(t)
			})
			if skipped != c.skipped {
				t.Errorf("skipped %t, want %t", skipped, c.skipped)
			}
		})
	}
}
