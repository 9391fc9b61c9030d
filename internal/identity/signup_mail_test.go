package identity_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
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

func TestSignUpByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.byMail(t, " Grace@Example.com", another)
	got := p.last(t, grace)
	if !strings.Contains(got.Text, "https://chat.example.com/verify#new&token=") {
		t.Fatalf("the mail: %s", got.Text)
	}
	if _, err := users.On(p.store).UserByEmail(t.Context(), grace); !fault.Is(err, fault.NotFound) {
		t.Errorf("there is a user before the link is used: %v", err)
	}
	wantKind(t, "without a password", p.open(t, got.Token(), ""), fault.InvalidInput)
	wantKind(t, "as a reset", p.reset(t, got.Token()), fault.InvalidInput)
	if err := p.open(t, got.Token(), another); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "twice", p.open(t, got.Token(), another), fault.InvalidInput)
	me, err := p.SignIn(t.Context(), identity.SignInInput{Email: grace, Password: another}, home)
	if err != nil || me.Account.Name != "Grace" || me.Account.CreditBalance != 20 {
		t.Fatalf("signing in: %+v, %v", me.Account, err)
	}
	p.wantAddress(t, "opened", me, grace, true)
	if got, want := p.events(t, me.Principal.UserID), []string{"signUp emailVerified 192.0.2.1", "signIn newBrowser 192.0.2.1"}; !slices.Equal(got, want) {
		t.Errorf("the entries are %q, want %q", got, want)
	}
	p.stop()
	if strings.Contains(p.log.String()+p.bench.log.String(), got.Token()) || len(storetest.Traces(t, p.store, got.Token())) > 0 {
		t.Error("the token is in a log or in the database")
	}
	storetest.Audit(t, p.store)
}

// TestSignUpWithAnothersAddress checks that a thief who signs up with another person's address
// gains nothing when its owner opens the link.
func TestSignUpWithAnothersAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.byMail(t, grace, "the thief's password")
	token := p.last(t, grace).Token()
	wantKind(t, "the owner's password", p.open(t, token, password), fault.InvalidCredentials)
	_, err := p.SignIn(t.Context(), identity.SignInInput{Email: grace, Password: "the thief's password"}, home)
	wantKind(t, "the thief signs in", err, fault.InvalidCredentials)
	p.byMail(t, grace, password) // the owner signs up, too
	own := p.last(t, grace).Token()
	p.byMail(t, grace, "the thief's password")
	if err := p.open(t, own, password); err != nil {
		t.Errorf("the owner's link after a later sign-up: %v", err)
	}
	wantKind(t, "the thief's link", p.open(t, token, "the thief's password"), fault.InvalidInput)
	wantKind(t, "the thief's later link", p.open(t, p.last(t, grace).Token(), "the thief's password"), fault.InvalidInput)
}

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

func TestSignUpOfAKnownAddressByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.stop()
	measure := func(address string) int64 {
		before := p.statements.Load()
		p.byMail(t, address, another)
		return p.statements.Load() - before
	}
	for range identity.MaxMails + 1 { // the last ones are over the limit
		if known, unknown := measure(email), measure(grace); known != unknown || known == 0 {
			t.Errorf("a known address takes %d statements, an unknown one %d", known, unknown)
		}
	}
	p.run(t)
	if got := p.last(t, email); got.Token() != "" || !strings.Contains(got.Text, "already has an account") {
		t.Errorf("the mail: %s", got.Text)
	}
	if got := p.idle(t); len(got) != 2*identity.MaxMails {
		t.Errorf("%d mails", len(got))
	}
	if _, err := p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home); err != nil {
		t.Errorf("its own password: %v", err)
	}
}

func TestSignUpUsesALinkUpOnce(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.server.Answer(func(mailtest.Message) error { return mailtest.ErrLost }) // each try is taken, and tried again
	p.byMail(t, grace, another)
	p.idle(t)
	p.server.Answer(nil)
	p.exec(t, `UPDATE outbox SET due = clock_timestamp(), error = NULL WHERE due IS NOT NULL`)
	tries := p.idle(t)
	if len(tries) != 2 {
		t.Fatalf("%d tries", len(tries))
	}
	var worked atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			err := []*identity.Service{p.Service, p.second}[i/2%2].VerifyEmail(t.Context(), nil, tries[i%2].Token(), another, home)
			if err == nil {
				worked.Add(1)
			} else if !fault.Is(err, fault.InvalidInput) {
				t.Errorf("at once: %v", err)
			}
		})
	}
	all.Wait()
	if worked.Load() != 1 {
		t.Errorf("the link worked %d times", worked.Load())
	}
}

func TestSignUpLinksEnd(t *testing.T) {
	t.Parallel()
	var open atomic.Bool
	open.Store(true)
	p := newPost(t, func(c *identity.Config) { c.SignUpOpen = open.Load })
	p.byMail(t, grace, another)
	token := p.last(t, grace).Token()
	open.Store(false)
	wantKind(t, "closed meanwhile", p.open(t, token, another), fault.SignUpClosed)
	open.Store(true)
	p.hours(t, "1 hour")
	wantKind(t, "after an hour", p.open(t, token, another), fault.InvalidInput)
	p.byMail(t, grace, another)
	token = p.last(t, grace).Token()
	p.signUpAs(t, grace) // where a replica has no mail
	wantKind(t, "taken meanwhile", p.open(t, token, another), fault.Conflict)
}
