package conversation_test

import (
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/conversation"
)

// TestFingerprint: equal bodies have equal fingerprints and different bodies have different ones, wherever message and session meet.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	type body struct {
		message, session string
		has              bool
		version          int // 0 for none
	}
	draw := rapid.Custom(func(t *rapid.T) body {
		b := body{message: rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01\x02")), 0, 4, -1).Draw(t, "message"), has: rapid.Bool().Draw(t, "has")}
		if b.has {
			b.session = rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01\x02")), 0, 4, -1).Draw(t, "session")
		}
		b.version = rapid.IntRange(0, 2).Draw(t, "version")
		return b
	})
	fingerprint := func(b body) [32]byte {
		var version *int
		if b.version > 0 {
			version = &b.version
		}
		return conversation.Fingerprint(b.message, b.session, b.has, version)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		same := fingerprint(a) == fingerprint(b)
		if same != (a == b) {
			t.Fatalf("%+v and %+v: same fingerprint %v", a, b, same)
		}
	})
	if conversation.Fingerprint("m", "ignored", false, nil) != conversation.Fingerprint("m", "", false, nil) {
		t.Error("the label counts although none was given")
	}
}
