package identity_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/testlong"
)

// asks returns the requests whose response must not reveal whether an address has a user.
func (p *post) asks(t *testing.T, in identity.SignedIn) map[string]func(address string) error {
	t.Helper()
	return map[string]func(address string) error{
		"reset": func(address string) error { return p.RequestPasswordReset(t.Context(), address, home) },
		"sign-up": func(address string) error {
			up := identity.SignUpInput{Email: address, Password: another, Name: "Ada"}
			_, err := p.SignUp(t.Context(), up, home)
			return err
		},
		"change": func(address string) error {
			return p.ChangeEmail(t.Context(), in.Principal, address, given, home)
		},
	}
}

// TestResponsesTakeTheSameStatements also checks that the owner of a known address gets a mail
// without a link instead.
func TestResponsesTakeTheSameStatements(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	session := p.signIn(t, home)
	p.signUpAs(t, grace)
	p.all(t) // otherwise the worker may stop while it holds a mail's lease
	p.stop()
	for name, ask := range p.asks(t, session) {
		p.exec(t, `DELETE FROM throttles`)
		measure := func(address string) (int64, error) {
			before := p.statements.Load()
			err := ask(address)
			return p.statements.Load() - before, err
		}
		for range identity.MaxMails + 1 { // the last ones are over the limit
			known, knownErr := measure(grace)
			unknown, unknownErr := measure("nobody@example.com")
			if known != unknown || known == 0 || fault.KindOf(knownErr) != fault.KindOf(unknownErr) {
				t.Errorf("%s: a known address takes %d statements, %v; an unknown one %d, %v",
					name, known, knownErr, unknown, unknownErr)
			}
		}
	}
	p.exec(t, `DELETE FROM outbox WHERE message = 'PASSWORD_RESET'`)
	p.run(t)
	mails := 0
	for _, m := range p.all(t) {
		if m.To != grace {
			continue
		}
		mails++
		if m.Token() != "" || !strings.Contains(m.Text, "already has an account") {
			t.Errorf("the mail to its owner: %s", m.Text)
		}
	}
	if mails != identity.MaxMails { // of the sign-ups: a newer change of address voids the older ones
		t.Errorf("%d mails, want %d", mails, identity.MaxMails)
	}
}

// TestResponsesTakeAsLongForKnownAddresses compares medians of times, which also include
// differences within statements.
func TestResponsesTakeAsLongForKnownAddresses(t *testing.T) {
	testlong.Only(t)
	p := newPost(t)
	p.stop()
	session := p.signIn(t, home)
	p.signUpAs(t, grace)
	for name, ask := range p.asks(t, session) {
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
