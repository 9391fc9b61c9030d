package auth_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
)

// replacement holds a replica for each step of replacing the secret "before" by the secret "after".
type replacement struct{ before, acceptsAfter, acceptsBefore, after *auth.Tokens }

func (r replacement) steps() map[string]*auth.Tokens {
	return map[string]*auth.Tokens{
		"only the old secret":              r.before,
		"the old one, accepts the new one": r.acceptsAfter,
		"the new one, accepts the old one": r.acceptsBefore,
		"only the new secret":              r.after,
	}
}

func replaceSecret(t *testing.T) replacement {
	t.Helper()
	before, after := bytes.Repeat([]byte("b"), 32), bytes.Repeat([]byte("a"), 32)
	replica := func(secret []byte, others ...[]byte) *auth.Tokens {
		tokens, err := auth.NewTokens(secret, others...)
		if err != nil {
			t.Fatal(err)
		}
		return tokens
	}
	return replacement{replica(before), replica(before, after), replica(after, before), replica(after)}
}

// TestSecretIsReplaced checks that neighboring steps of a replacement accept each other's tokens:
// replicas run both while a step is rolled out.
func TestSecretIsReplaced(t *testing.T) {
	t.Parallel()
	r := replaceSecret(t)
	userID, signInID := uuid.New(), uuid.New()
	for name, pair := range map[string][2]*auth.Tokens{
		"the first step":  {r.before, r.acceptsAfter},
		"the second step": {r.acceptsAfter, r.acceptsBefore},
	} {
		for i, issuer := range pair {
			checker := pair[1-i]
			access, _ := issuer.IssueAccess(userID, signInID, time.Now())
			if _, err := checker.ReadAccess(access); err != nil {
				t.Errorf("%s: access token: %v", name, err)
			}
			refresh := issuer.MintRefresh(signInID, 7)
			mine, ok := issuer.ParseRefresh(refresh)
			theirs, okToo := checker.ParseRefresh(refresh)
			if !ok || !okToo || mine.Successor() != theirs.Successor() ||
				theirs.Generation != 7 || theirs.SignInID != signInID {
				t.Errorf("%s: the replicas do not agree on a successor", name)
			}
			if !checker.IsKnownBrowser(userID, issuer.MintKnownBrowser(userID)) {
				t.Errorf("%s: the browser is not known", name)
			}
		}
	}
	access, _ := r.before.IssueAccess(userID, signInID, time.Now())
	if _, err := r.after.ReadAccess(access); err == nil {
		t.Error("an access token of the removed secret is accepted")
	}
	if _, ok := r.after.ParseRefresh(r.before.MintRefresh(signInID, 1)); ok {
		t.Error("a refresh token of the removed secret is accepted")
	}
	if _, err := auth.NewTokens(secret, []byte("short")); err == nil {
		t.Error("a short second secret is accepted")
	}
}
