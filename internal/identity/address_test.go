package identity_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	sending "agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// last returns the newest mail to an address.
func (p *post) last(t *testing.T, to string) mailtest.Message {
	t.Helper()
	for _, m := range slices.Backward(p.idle(t)) {
		if m.To == to {
			return m
		}
	}
	t.Fatalf("no mail has come to %s", to)
	return mailtest.Message{}
}

func (b *bench) wantAddress(
	t *testing.T, what string, in identity.SignedIn, email string, verified bool,
) {
	t.Helper()
	user, err := users.On(b.store).User(t.Context(), in.Principal.UserID)
	if err != nil || user.Email != email || user.EmailVerified != verified {
		t.Errorf("%s: %+v %v, want %s, verified: %v", what, user, err, email, verified)
	}
}

// ask requests a change of address, and returns the token mailed to the new one.
func (p *post) ask(t *testing.T, in identity.SignedIn, address string) string {
	t.Helper()
	if err := p.ChangeEmail(t.Context(), in.Principal, address, given, home); err != nil {
		t.Fatal(err)
	}
	return p.last(t, address).Token()
}

func (p *post) verify(t *testing.T, in *identity.SignedIn, token string) error {
	t.Helper()
	if in == nil {
		return p.VerifyEmail(t.Context(), nil, token, "", home)
	}
	return p.VerifyEmail(t.Context(), &in.Principal, token, "", home)
}

// given reauthenticates with the password.
var given = identity.Reauthentication{Password: password}

// TestVerifyingTheOwnAddress checks that a link works only for its user and its purpose, and that
// refused attempts do not use it up. A verified address gets no mail.
func TestVerifyingTheOwnAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me, other := p.signIn(t, home), p.signUpAs(t, grace)
	request := func() error { return p.RequestEmailVerification(t.Context(), me.Principal) }
	if err := request(); err != nil {
		t.Fatal(err)
	}
	token := p.last(t, email).Token()
	wantKind(t, "not signed in", p.verify(t, nil, token), fault.Unauthorized)
	wantKind(t, "as another user", p.verify(t, &other, token), fault.Conflict)
	wantKind(t, "as a reset", p.reset(t, token, another), fault.InvalidInput)
	wantKind(t, "as an undo", p.UndoEmailChange(t.Context(), token, home), fault.InvalidInput)
	if err := p.verify(t, &me, token); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "verified", me, email, true)
	before := len(p.idle(t))
	if err := request(); err != nil || len(p.idle(t)) != before {
		t.Errorf("once more: %v, %d mails", err, len(p.idle(t))-before)
	}
}

// TestChangingTheAddress changes the address, restores the former one and sets a new password with
// the link that is mailed then.
func TestChangingTheAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	change := func(address, password string) error {
		with := identity.Reauthentication{Password: password}
		return p.ChangeEmail(t.Context(), me.Principal, address, with, home)
	}
	wantKind(t, "a wrong password", change("b@example.com", "wrong password"), fault.InvalidCredentials)
	wantKind(t, "the same address", change(" ADA@example.com", password), fault.InvalidInput)
	wantKind(t, "no address", change("b", password), fault.InvalidInput)
	if got := p.idle(t); len(got) > 0 {
		t.Errorf("refused, and %d mails are sent", len(got))
	}
	token := p.ask(t, me, "b@example.com")
	p.wantAddress(t, "only requested", me, email, false)
	if err := p.verify(t, &me, token); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "changed", me, "b@example.com", true)
	notice := p.last(t, email)
	if !strings.Contains(notice.Text, "https://chat.example.com/undo-address#token=") ||
		strings.Contains(notice.Text+notice.HTML, "b@example.com") {
		t.Errorf("the notice: %s", notice.Text)
	}
	wantKind(t, "an undo as a change", p.verify(t, &me, notice.Token()), fault.InvalidInput)
	if err := p.UndoEmailChange(t.Context(), notice.Token(), home); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "restored", me, email, true)
	err := p.UndoEmailChange(t.Context(), notice.Token(), home)
	wantKind(t, "an undo twice", err, fault.InvalidInput)
	_, err = p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
	wantKind(t, "the password, which the thief knew", err, fault.InvalidCredentials)
	reset := p.last(t, email).Token()
	if err := p.reset(t, reset, another); err != nil {
		t.Fatal(err)
	}
	got, want := p.events(t, me.Principal.UserID), []string{
		"changeEmail 192.0.2.1",
		"verifyEmail email 192.0.2.1",
		"undoEmailChange email password 192.0.2.1",
		"resetPassword password 192.0.2.1",
	}
	if !slices.Equal(got[len(got)-4:], want) {
		t.Errorf("the entries are %q, want %q at the end", got, want)
	}
	p.wantNoTraces(t, token, notice.Token(), reset)
	if storetest.Traces(t, p.store, "@example.com")["audit_entries"] > 0 ||
		strings.Contains(p.log.String(), "@example.com") {
		t.Error("an address is in the trail or the log")
	}
}

// TestWithoutMail checks that an address changes at once and unverified, and that the refusal of a
// reset names the contact.
func TestWithoutMail(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *identity.Config) { c.SupportContact = "Call Bob." })
	me := b.signUp(t)
	b.signUpAs(t, grace)
	err := b.RequestEmailVerification(t.Context(), me.Principal)
	wantKind(t, "a verification", err, fault.InvalidInput)
	b.exec(t, `UPDATE users SET email_verified_at = now()`)
	change := func(address, password string) error {
		with := identity.Reauthentication{Password: password}
		return b.ChangeEmail(t.Context(), me.Principal, address, with, home)
	}
	wantKind(t, "a wrong password", change("b@example.com", "wrong password"), fault.InvalidCredentials)
	wantKind(t, "a taken address", change(grace, password), fault.Conflict)
	if err := change("b@example.com", password); err != nil {
		t.Fatal(err)
	}
	b.wantAddress(t, "changed", me, "b@example.com", false)
	if got := b.events(t, me.Principal.UserID); got[len(got)-1] != "changeEmail email 192.0.2.1" {
		t.Errorf("the entries are %q", got)
	}
	for range identity.MaxChanges {
		_ = change(grace, password)
	}
	wantKind(t, "trying addresses out", change(grace, password), fault.RateLimited)
	err = b.RequestPasswordReset(t.Context(), email, home)
	wantKind(t, "a reset", err, fault.InvalidInput)
	if text := fault.ClientMessage(err); !strings.Contains(text, "Call Bob.") {
		t.Errorf("it says %q", text)
	}
	token, hash := sending.NewToken()
	by := audit.Entry{Actor: audit.ByOperator, Action: "user reset-link"}
	err = users.On(b.store).ResetByHand(t.Context(), "b@example.com", hash, by)
	if err = errors.Join(err, b.reset(t, token, another)); err != nil {
		t.Errorf("a link of the operator: %v", err)
	}
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d mails are queued", n)
	}
}
