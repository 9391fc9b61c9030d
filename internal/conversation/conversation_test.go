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
	}
	draw := rapid.Custom(func(t *rapid.T) body {
		b := body{message: rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01")), 0, 4, -1).Draw(t, "message"), has: rapid.Bool().Draw(t, "has")}
		if b.has {
			b.session = rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01")), 0, 4, -1).Draw(t, "session")
		}
		return b
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		same := conversation.Fingerprint(a.message, a.session, a.has) == conversation.Fingerprint(b.message, b.session, b.has)
		if same != (a == b) {
			t.Fatalf("%+v and %+v: same fingerprint %v", a, b, same)
		}
	})
	if conversation.Fingerprint("m", "ignored", false) != conversation.Fingerprint("m", "", false) {
		t.Error("the label counts although none was given")
	}
}
