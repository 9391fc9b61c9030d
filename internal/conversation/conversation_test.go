package conversation_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"agentchat/internal/conversation"
)

// TestFingerprint shows that bodies have equal fingerprints if and only if they are equal, even if
// text moves from one part to another.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a")), 0, 4, -1)
	turn := rapid.Custom(func(t *rapid.T) conversation.EarlierTurn {
		return conversation.EarlierTurn{Message: text.Draw(t, "message"), Reply: text.Draw(t, "reply")}
	})
	draw := rapid.Custom(func(t *rapid.T) conversation.Body {
		return conversation.Body{
			Message: text.Draw(t, "message"), Session: rapid.Ptr(text, true).Draw(t, "session"), UserID: rapid.Ptr(text, true).Draw(t, "user"),
			Variables: rapid.MapOfN(text, text, 0, 3).Draw(t, "variables"),
			Results:   text.Draw(t, "results"),
			Version:   rapid.Ptr(rapid.IntRange(1, 2), true).Draw(t, "version"), Model: text.Draw(t, "model"),
			History:      rapid.SliceOfN(turn, 0, 2).Draw(t, "history"),
			ContinueFrom: rapid.Ptr(rapid.SampledFrom([]uuid.UUID{{1}, {2}}), true).Draw(t, "turn"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if same := a.Fingerprint() == b.Fingerprint(); same != reflect.DeepEqual(a, b) {
			t.Fatalf("%+v and %+v: same fingerprint %v", a, b, same)
		}
	})
	if (conversation.Body{Variables: map[string]string{}}).Fingerprint() != (conversation.Body{}).Fingerprint() {
		t.Error("an empty map of variables differs from none")
	}
}
