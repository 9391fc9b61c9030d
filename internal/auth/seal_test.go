package auth_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/auth"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	before, after := bytes.Repeat([]byte("b"), 32), bytes.Repeat([]byte("a"), 32)
	replica := func(secret []byte, others ...[]byte) *auth.Tokens {
		tokens, err := auth.NewTokens(secret, others...)
		if err != nil {
			t.Fatal(err)
		}
		return tokens
	}
	alone, accepting, switched, done := replica(before), replica(before, after), replica(after, before), replica(after)
	user, text := uuid.New(), []byte("a secret of 20 bytes")
	sealed := alone.Seal(user, text)
	for name, tokens := range map[string]*auth.Tokens{"alone": alone, "accepting": accepting, "switched": switched} {
		if got, ok := tokens.Open(user, sealed); !ok || !bytes.Equal(got, text) {
			t.Errorf("%s: %q %v", name, got, ok)
		}
		if mine := bytes.HasPrefix(sealed, tokens.SealID()); mine != (tokens != switched) {
			t.Errorf("%s: sealed under its own secret: %v", name, mine)
		}
	}
	if _, ok := done.Open(user, sealed); ok {
		t.Error("the other secret opens it")
	}
	if got, ok := done.Open(user, switched.Seal(user, text)); !ok || !bytes.Equal(got, text) {
		t.Errorf("sealed anew: %q %v", got, ok)
	}
	if bytes.Contains(sealed, text) || bytes.Equal(sealed, alone.Seal(user, text)) {
		t.Error("it is not encrypted, or twice alike")
	}
	if _, ok := alone.Open(uuid.New(), sealed); ok {
		t.Error("another user's is opened")
	}
	for i := range sealed {
		altered := bytes.Clone(sealed)
		altered[i] ^= 1
		if _, ok := alone.Open(user, altered); ok {
			t.Errorf("it is opened with byte %d altered", i)
		}
		if _, ok := alone.Open(user, sealed[:i]); ok {
			t.Errorf("it is opened with %d bytes", i)
		}
	}
}
