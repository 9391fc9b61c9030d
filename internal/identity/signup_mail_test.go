package identity_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// byMail signs up by mail.
func (p *post) byMail(t *testing.T, address, password string) {
	t.Helper()
	session, err := p.SignUp(t.Context(), identity.SignUpInput{Email: address, Password: password, Name: "Grace"}, home)
	if err != nil || session != nil {
		t.Fatalf("signing up by mail: %+v, %v", session, err)
	}
}

func (p *post) open(t *testing.T, token, password string) error {
	t.Helper()
	return p.VerifyEmail(t.Context(), nil, token, password, home)
}

const grace = "grace@example.com"

func TestSignUpGuessesUseNoLinkUp(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.byMail(t, grace, another)
	token := p.last(t, grace).Token()
	for range identity.MaxGuesses {
		wantKind(t, "a guess", p.open(t, token, password), fault.InvalidCredentials)
	}
	wantKind(t, "one too many", p.open(t, token, another), fault.RateLimited)
	p.age(t, "15 minutes")
	if err := p.open(t, token, another); err != nil {
		t.Error(err)
	}
}

// TestSignUpByMail checks that only the link and the chosen password together open the account: a
// thief who signs up with another person's address gains nothing when its owner opens the link.
func TestSignUpByMail(t *testing.T) {
	t.Parallel()
	var open atomic.Bool
	open.Store(true)
	p := newPost(t, func(c *identity.Config) { c.SignUpOpen = open.Load })
	p.byMail(t, " Grace@Example.com", another)
	got := p.last(t, grace)
	if !strings.Contains(got.Text, "https://chat.example.com/verify#new&token=") {
		t.Fatalf("the mail: %s", got.Text)
	}
	in := identity.SignInInput{Email: grace, Password: another}
	_, err := p.SignIn(t.Context(), in, home)
	wantKind(t, "before the link is used", err, fault.InvalidCredentials)
	wantKind(t, "without a password", p.open(t, got.Token(), ""), fault.InvalidInput)
	wantKind(t, "another password", p.open(t, got.Token(), password), fault.InvalidCredentials)
	open.Store(false)
	wantKind(t, "closed meanwhile", p.open(t, got.Token(), another), fault.SignUpClosed)
	open.Store(true)
	if err := p.open(t, got.Token(), another); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "twice", p.open(t, got.Token(), another), fault.InvalidInput)
	me, err := p.SignIn(t.Context(), in, home)
	if err != nil || me.Account.Name != "Grace" || me.Account.CreditBalance != 20 {
		t.Fatalf("signing in: %+v, %v", me.Account, err)
	}
	p.wantAddress(t, "opened", me, grace, true)
	want := []string{"signUp emailVerified 192.0.2.1", "signIn newBrowser 192.0.2.1"}
	if got := p.events(t, me.Principal.UserID); !slices.Equal(got, want) {
		t.Errorf("the entries are %q, want %q", got, want)
	}
	p.wantNoTraces(t, got.Token())
	storetest.Audit(t, p.store)
}
