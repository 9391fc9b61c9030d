package identity_test

import (
	"bytes"
	"testing"

	"agentchat/internal/auth"
	"agentchat/internal/identity"
)

// TestTheSecretReplacedTwice replaces the secret twice while a user stays signed in. The user's
// codes stay valid without another sign-in. Only the refresh token of the first secret stops
// working, and the user can sign in again.
func TestTheSecretReplacedTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	replica := func(current byte, others ...byte) *identity.Service {
		t.Helper()
		of := func(of byte) []byte { return bytes.Repeat([]byte{of}, 32) }
		var more [][]byte
		for _, o := range others {
			more = append(more, of(o))
		}
		tokens, err := auth.NewTokens(of(current), more...)
		if err != nil {
			t.Fatal(err)
		}
		s := identity.New(identity.Config{Store: b.store, Hasher: auth.NewHasher(), Tokens: tokens, SignUpOpen: func() bool { return true }})
		if err := s.Reencrypt(t.Context()); err != nil { // as Run does at its start
			t.Fatal(err)
		}
		return s
	}
	b.Service = replica(1)
	b.unmailed = b.Service
	session := b.signUp(t)
	d := b.setUp(t, session.Principal)
	works := func(what string, s *identity.Service) {
		t.Helper()
		b.fresh(t)
		if _, err := s.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: d.code(0)}, home); err != nil {
			t.Errorf("%s: signing in: %v", what, err)
		}
		b.fresh(t)
		if _, err := s.Reauthenticate(t.Context(), session.Principal, identity.Reauthentication{Code: d.code(0)}, home); err != nil {
			t.Errorf("%s: a proof: %v", what, err)
		}
		var err error
		if session, err = s.Renew(t.Context(), holding(session.RefreshToken)); err != nil {
			t.Fatalf("%s: renewing: %v", what, err)
		}
	}
	works("one secret", b.Service)
	accepting := replica(1, 2)
	works("accepting the second", accepting)
	switched := replica(2, 1)
	works("switched, on the replica that has not yet", accepting)
	works("switched", switched)

	// Without a sign-in in between, the second secret goes, too.
	replica(2, 3)
	replica(3, 2)
	last := replica(3)
	b.fresh(t)
	if _, err := last.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: d.code(0)}, home); err != nil {
		t.Errorf("the third secret alone: %v", err)
	}
	lost := func(s byte) int {
		t.Helper()
		tokens, err := auth.NewTokens(bytes.Repeat([]byte{s}, 32))
		if err != nil {
			t.Fatal(err)
		}
		n, err := identity.LostFactors(t.Context(), b.store, tokens)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if lost(3) != 0 || lost(1) != 1 {
		t.Errorf("%d and %d factors are lost", lost(3), lost(1))
	}
	replica(1) // a wrong secret changes nothing
	if lost(3) != 0 {
		t.Error("a replica with another secret has lost the factor")
	}
}
