package auth_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
)

// TestSecretIsReplaced takes replicas through the two steps of replacing a secret: first both accept the new one, then both switch to it.
func TestSecretIsReplaced(t *testing.T) {
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
	userID, signInID := uuid.New(), uuid.New()
	for name, pair := range map[string][2]*auth.Tokens{"the first step": {alone, accepting}, "the second step": {accepting, switched}} {
		for i, issuer := range pair {
			checker := pair[1-i]
			access, _ := issuer.IssueAccess(userID, signInID, time.Now())
			if _, err := checker.ReadAccess(access); err != nil {
				t.Errorf("%s: access token: %v", name, err)
			}
			refresh := issuer.MintRefresh(signInID, 7)
			mine, ok := issuer.ParseRefresh(refresh)
			theirs, okToo := checker.ParseRefresh(refresh)
			if !ok || !okToo || mine.Successor() != theirs.Successor() || theirs.Generation != 7 || theirs.SignInID != signInID {
				t.Errorf("%s: the replicas do not agree on a successor", name)
			}
			if !checker.IsKnownBrowser(userID, issuer.MintKnownBrowser(userID)) {
				t.Errorf("%s: the browser is not known", name)
			}
		}
	}
	access, _ := alone.IssueAccess(userID, signInID, time.Now())
	if _, err := done.ReadAccess(access); err == nil {
		t.Error("an access token of the old secret is still accepted at the end")
	}
	if _, ok := done.ParseRefresh(alone.MintRefresh(signInID, 1)); ok {
		t.Error("a refresh token of the old secret is still accepted at the end")
	}
	if _, err := auth.NewTokens(after, []byte("short")); err == nil {
		t.Error("a short other secret is accepted")
	}
}
