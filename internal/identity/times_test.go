package identity_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/internal/identity"
	"agentchat/internal/testlong"
)

// TestResponsesTakeAsLongForKnownAddresses compares medians of times, which also include
// differences within statements.
func TestResponsesTakeAsLongForKnownAddresses(t *testing.T) {
	testlong.Only(t)
	p := newPost(t)
	p.stop()
	session := p.signIn(t, home)
	p.signUpAs(t, grace)
	for name, ask := range map[string]func(address string) error{
		"reset": func(address string) error { return p.RequestPasswordReset(t.Context(), address, home) },
		"sign-up": func(address string) error {
			_, err := p.SignUp(t.Context(), identity.SignUpInput{Email: address, Password: another, Name: "Ada"}, home)
			return err
		},
		"change": func(address string) error {
			return p.ChangeEmail(t.Context(), session.Principal, address, identity.Reauthentication{Password: password}, home)
		},
	} {
		times := map[string][]time.Duration{}
		addresses := []string{grace, "nobody@example.com"}
		for range 100 {
			slices.Reverse(addresses) // alternately, so that both meet the same load
			for _, address := range addresses {
				p.exec(t, `DELETE FROM throttles`)
				begun := time.Now()
				if err := ask(address); err != nil {
					t.Fatal(err)
				}
				times[address] = append(times[address], time.Since(begun))
			}
		}
		median := func(address string) time.Duration {
			slices.Sort(times[address])
			return times[address][len(times[address])/2]
		}
		known, unknown := median(grace), median("nobody@example.com")
		t.Logf("%s: %v for a known address, %v for an unknown one", name, known, unknown)
		if ratio := float64(known) / float64(unknown); ratio < 0.7 || ratio > 1.4 {
			t.Errorf("%s: the time differs: %v for a known address, %v for an unknown one", name, known, unknown)
		}
	}
}
