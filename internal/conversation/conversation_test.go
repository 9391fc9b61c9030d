package conversation_test

import (
	"encoding/hex"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"agentchat/internal/conversation"
)

// TestFingerprint: equal bodies have equal fingerprints and different bodies have different ones, wherever their parts meet.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x01\x02\x03\x04\x05")), 0, 4, -1)
	draw := rapid.Custom(func(t *rapid.T) conversation.Body {
		return conversation.Body{
			Message: text.Draw(t, "message"), Session: rapid.Ptr(text, true).Draw(t, "session"), UserID: rapid.Ptr(text, true).Draw(t, "user"),
			Variables: rapid.MapOfN(text, text, 0, 3).Draw(t, "variables"),
			Version:   rapid.Ptr(rapid.IntRange(1, 2), true).Draw(t, "version"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if same := a.Fingerprint() == b.Fingerprint(); same != reflect.DeepEqual(a, b) {
			t.Fatalf("%+v and %+v: same fingerprint %v", a, b, same)
		}
	})
	if (conversation.Body{Variables: map[string]string{}}).Fingerprint() != (conversation.Body{}).Fingerprint() {
		t.Error("no values differ from none")
	}
}

// TestFingerprintOfTheFirstRelease: what 0.1.0 stored still matches.
func TestFingerprintOfTheFirstRelease(t *testing.T) {
	t.Parallel()
	session, version := "order-42", 3
	for want, b := range map[string]conversation.Body{
		"bdd6f300c5633c891f3d9db4e652e9a36cc1d7c369f351a9beebbff848719e6f": {Message: "Where is my parcel?"},
		"c0518a8c9e9472509b6413d7a8c64fb79209927ae9efa7693eeec48d50f1007e": {Message: "Where is my parcel?", Session: &session},
		"687a1947ecb6006f8f2942a4e5e0cf2c806ad4e92caea5f3a794c2574e07dbe4": {Message: "Where is my parcel?", Session: &session, Version: &version},
	} {
		sum := b.Fingerprint()
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%+v: %s, want %s", b, got, want)
		}
	}
}
