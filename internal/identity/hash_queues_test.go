package identity_test

import (
	"errors"
	"fmt"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// networks holds two addresses of one network and one of another.
var networks = []struct{ one, same, other string }{
	{"192.0.2.1", "192.0.2.254", "192.0.3.1"},
	{"2001:db8:1::1", "2001:db8:1:ffff::1", "2001:db8:2::1"},
	{"127.0.0.1", "::ffff:127.0.0.2", "127.0.1.1"},
}

// guess tries to sign in as a user that does not exist.
func guess(t *testing.T, s *identity.Service, n int, from string) error {
	t.Helper()
	_, err := s.SignIn(t.Context(), identity.SignInInput{Email: fmt.Sprintf("%d@example.com", n), Password: "Summer2026!"}, client(from))
	return err
}

// TestWrongPasswordsPerNetwork tries one password on many accounts: over all replicas, 30 wrong
// passwords of a network are checked.
func TestWrongPasswordsPerNetwork(t *testing.T) {
	t.Parallel()
	for _, n := range networks {
		t.Run(n.one, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			session := b.signUp(t)
			for i := range identity.MaxWrong {
				service, from := []*identity.Service{b.Service, b.second}[i%2], []string{n.one, n.same}[i/2%2]
				wantKind(t, "a wrong password", guess(t, service, i, from), fault.InvalidCredentials)
			}
			for i, service := range []*identity.Service{b.Service, b.second} {
				err := guess(t, service, 1000+i, n.same)
				f, ok := errors.AsType[*fault.Error](err)
				if !ok || f.Kind != fault.RateLimited || f.RetryAfter <= 0 || f.RetryAfter > identity.GuessWindow {
					t.Errorf("one wrong password more: %v", err)
				}
			}
			right := identity.SignInInput{Email: email, Password: password}
			_, err := b.SignIn(t.Context(), right, client(n.one))
			wantKind(t, "the right password from a new browser there", err, fault.RateLimited)
			if _, err := b.SignIn(t.Context(), right, client(n.one, session.KnownBrowser)); err != nil {
				t.Errorf("the owner from a known browser there: %v", err)
			}
			b.signIn(t, client(n.other))
			wantKind(t, "a wrong password elsewhere", guess(t, b.Service, 2000, n.other), fault.InvalidCredentials)
			b.age(t, "15 minutes")
			b.signIn(t, client(n.one))
		})
	}
}

// TestRightPasswordsOfAnOffice checks that right passwords do not count against the network, and
// neither do attempts that were refused by the limit of the account.
func TestRightPasswordsOfAnOffice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.signUp(t)
	for i := range identity.MaxWrong - 1 - identity.MaxGuesses {
		wantKind(t, "a wrong password", guess(t, b.Service, i, "192.0.2.7"), fault.InvalidCredentials)
	}
	for range identity.MaxGuesses {
		wantKind(t, "a wrong password", guess(t, b.Service, 1000, "192.0.2.7"), fault.InvalidCredentials)
	}
	for range identity.MaxWrong {
		wantKind(t, "an account over its limit", guess(t, b.Service, 1000, "192.0.2.7"), fault.RateLimited)
	}
	for range 3 {
		b.signIn(t, client("192.0.2.8"))
	}
	wantKind(t, "the last wrong password", guess(t, b.Service, 2000, "192.0.2.7"), fault.InvalidCredentials)
	wantKind(t, "one more", guess(t, b.Service, 2001, "192.0.2.7"), fault.RateLimited)
}

// TestAnOfficeSignsInAtOnce checks that sign-ins of one network wait for each other.
func TestAnOfficeSignsInAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	storetest.AtOnce(t, identity.MaxGuesses, fault.InvalidCredentials, func() error {
		return guess(t, b.Service, 0, "192.0.2.7")
	})
}
