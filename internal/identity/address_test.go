package identity_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/notifications"
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

// address returns the user's address and whether it is verified.
func (b *bench) address(t *testing.T, in identity.SignedIn) (string, bool) {
	t.Helper()
	user, err := users.On(b.store).User(t.Context(), in.Principal.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return user.Email, user.EmailVerified
}

func (b *bench) wantAddress(t *testing.T, what string, in identity.SignedIn, email string, verified bool) {
	t.Helper()
	if got, proved := b.address(t, in); got != email || proved != verified {
		t.Errorf("%s: the address is %s, verified: %v; want %s, %v", what, got, proved, email, verified)
	}
}

// ask requests a change of address, and returns the token mailed to the new one.
func (p *post) ask(t *testing.T, in identity.SignedIn, address string) string {
	t.Helper()
	if err := p.ChangeEmail(t.Context(), in.Principal, address, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	return p.last(t, address).Token()
}

// move changes the address, and returns the token that restores the former one.
func (p *post) move(t *testing.T, in identity.SignedIn, address string) (undo string) {
	t.Helper()
	before, _ := p.address(t, in)
	if err := p.verify(t, &in, p.ask(t, in, address)); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "after a change", in, address, true)
	return p.last(t, before).Token()
}

func (p *post) verify(t *testing.T, in *identity.SignedIn, token string) error {
	t.Helper()
	if in == nil {
		return p.VerifyEmail(t.Context(), nil, token, "", home)
	}
	return p.VerifyEmail(t.Context(), &in.Principal, token, "", home)
}

func (b *bench) undo(t *testing.T, token string) error {
	t.Helper()
	return b.UndoEmailChange(t.Context(), token, home)
}

func TestVerifyingTheOwnAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me, other := p.signIn(t, home), p.signUpAs(t, "grace@example.com")
	request := func() string {
		if err := p.RequestEmailVerification(t.Context(), me.Principal); err != nil {
			t.Fatal(err)
		}
		return p.last(t, email).Token()
	}
	older, token := request(), request()
	wantKind(t, "an older link", p.verify(t, &me, older), fault.InvalidInput)
	wantKind(t, "not signed in", p.verify(t, nil, token), fault.Unauthorized)
	wantKind(t, "as another user", p.verify(t, &other, token), fault.Conflict)
	wantKind(t, "as a reset", p.reset(t, token), fault.InvalidInput)
	wantKind(t, "as an undo", p.undo(t, token), fault.InvalidInput)
	p.wantAddress(t, "refused", me, email, false)
	if err := p.verify(t, &me, token); err != nil { // refused tries have not used it up
		t.Fatal(err)
	}
	p.wantAddress(t, "verified", me, email, true)
	wantKind(t, "twice", p.verify(t, &me, token), fault.InvalidInput)
	before := len(p.idle(t))
	if err := p.RequestEmailVerification(t.Context(), me.Principal); err != nil || len(p.idle(t)) != before {
		t.Errorf("once more: %v, %d mails", err, len(p.idle(t))-before)
	}
	if !p.authentic(t, me.AccessToken) {
		t.Error("verifying the address ended a sign-in")
	}
	if got := p.events(t, me.Principal.UserID); got[len(got)-1] != "verifyEmail emailVerified 192.0.2.1" {
		t.Errorf("the entries are %q", got)
	}
	wantKind(t, "a reset's link", p.verify(t, &me, p.link(t)), fault.InvalidInput)
	wantKind(t, "without mail", p.unmailed.RequestEmailVerification(t.Context(), me.Principal), fault.InvalidInput)
}

func TestChangingTheAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me, elsewhere := p.signIn(t, home), p.signIn(t, client("198.51.100.1"))
	change := func(address, password string) error {
		return p.ChangeEmail(t.Context(), me.Principal, address, identity.Reauthentication{Password: password}, home)
	}
	wantKind(t, "a wrong password", change("b@example.com", "wrong password"), fault.InvalidCredentials)
	wantKind(t, "the same address", change(" ADA@example.com", password), fault.InvalidInput)
	wantKind(t, "no address", change("b", password), fault.InvalidInput)
	if got := p.idle(t); len(got) > 0 {
		t.Errorf("refused, and %d mails are sent", len(got))
	}
	reset := p.link(t)
	token := p.ask(t, me, "b@example.com")
	p.wantAddress(t, "only requested", me, email, false)
	wantKind(t, "not signed in", p.verify(t, nil, token), fault.Unauthorized)
	other := p.signUpAs(t, "grace@example.com")
	wantKind(t, "as another user", p.verify(t, &other, token), fault.Conflict)
	if err := p.verify(t, &me, token); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "changed", me, "b@example.com", true)
	if p.authentic(t, elsewhere.AccessToken) || !p.authentic(t, me.AccessToken) {
		t.Error("another sign-in still works, or this one does not")
	}
	wantKind(t, "a reset's link from before the change", p.reset(t, reset), fault.InvalidInput)
	notice := p.last(t, email)
	if !strings.Contains(notice.Text, "https://chat.example.com/undo-address#token=") || strings.Contains(notice.Text+notice.HTML, "b@example.com") {
		t.Errorf("the notice: %s", notice.Text)
	}
	if got, want := p.events(t, me.Principal.UserID), []string{"changeEmail 192.0.2.1", "verifyEmail email 192.0.2.1"}; !slices.Equal(got[len(got)-2:], want) {
		t.Errorf("the entries are %q, want %q at the end", got, want)
	}
	if storetest.Traces(t, p.store, "b@example.com")["audit_entries"] > 0 || strings.Contains(p.bench.log.String(), "@example.com") {
		t.Error("an address is in the trail or the log")
	}
	p.move(t, me, email)
	wantKind(t, "that link, with the address back", p.reset(t, reset), fault.InvalidInput)
	p.stop()
	for _, secret := range []string{token, notice.Token()} {
		if strings.Contains(p.log.String()+p.bench.log.String(), secret) || len(storetest.Traces(t, p.store, secret)) > 0 {
			t.Error("a token is in a log or in the database")
		}
	}
}

// TestChangingToATakenAddress checks that the response does not reveal that the address is taken.
// Its owner gets another mail, and no link is sent.
func TestChangingToATakenAddress(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.signUpAs(t, "grace@example.com")
	me := p.signIn(t, home)
	measure := func(address string) int64 {
		before := p.statements.Load()
		if err := p.ChangeEmail(t.Context(), me.Principal, address, identity.Reauthentication{Password: password}, home); err != nil {
			t.Fatal(err)
		}
		return p.statements.Load() - before
	}
	p.all(t) // otherwise the worker may stop while it holds a mail's lease
	p.stop()
	if taken, free := measure("grace@example.com"), measure("b@example.com"); taken != free {
		t.Errorf("a taken address takes %d statements, a free one %d", taken, free)
	}
	p.run(t)
	if err := p.ChangeEmail(t.Context(), me.Principal, "grace@example.com", identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if got := p.last(t, "grace@example.com"); got.Token() != "" || !strings.Contains(got.Text, "already has an account") {
		t.Errorf("the mail to its owner: %s", got.Text)
	}
	// The address is taken after the link was sent: the refused attempt does not use the link up.
	token := p.ask(t, me, "c@example.com")
	third := p.signUpAs(t, "c@example.com")
	wantKind(t, "taken meanwhile", p.verify(t, &me, token), fault.Conflict)
	if err := p.DeleteAccount(t.Context(), third.Principal, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if err := p.verify(t, &me, token); err != nil {
		t.Errorf("free again: %v", err)
	}
}

func TestChangingTheAddressWithoutMail(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	me, elsewhere := b.signUp(t), b.signIn(t, home)
	b.signUpAs(t, "grace@example.com")
	b.exec(t, `UPDATE users SET email_verified_at = now()`)
	change := func(address, password string) error {
		return b.ChangeEmail(t.Context(), me.Principal, address, identity.Reauthentication{Password: password}, home)
	}
	wantKind(t, "a wrong password", change("b@example.com", "wrong password"), fault.InvalidCredentials)
	wantKind(t, "a taken address", change("grace@example.com", password), fault.Conflict)
	if !b.authentic(t, elsewhere.AccessToken) {
		t.Error("refused, and a sign-in has ended")
	}
	if err := change("b@example.com", password); err != nil {
		t.Fatal(err)
	}
	b.wantAddress(t, "changed", me, "b@example.com", false)
	if b.authentic(t, elsewhere.AccessToken) || !b.authentic(t, me.AccessToken) {
		t.Error("another sign-in still works, or this one does not")
	}
	if state, err := notifications.On(b.store).OutboxState(t.Context(), notifications.MailKind); state.Waiting != 0 || err != nil {
		t.Errorf("%d mails wait, %v", state.Waiting, err)
	}
	b.signUpAs(t, email) // the former address is free
	if got := b.events(t, me.Principal.UserID); got[len(got)-1] != "changeEmail email 192.0.2.1" {
		t.Errorf("the entries are %q", got)
	}
	for range identity.MaxChanges {
		_ = change("grace@example.com", password)
	}
	wantKind(t, "trying addresses out", change("grace@example.com", password), fault.RateLimited)
}

// TestThreeMailsOfAllKinds checks that the mails of all kinds that anyone can have sent to an
// address count together. Notices do not count.
func TestThreeMailsOfAllKinds(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	p.request(t, "b@example.com")          // no user: sends no mail, but counts
	p.byMail(t, "b@example.com", password) // the second
	token := p.ask(t, me, "b@example.com") // the third
	p.byMail(t, "b@example.com", password) // over the limit, without an error
	p.request(t, "b@example.com")          // over the limit, without an error
	wantKind(t, "one too many", p.ChangeEmail(t.Context(), me.Principal, "b@example.com", identity.Reauthentication{Password: password}, home), fault.RateLimited)
	if err := p.verify(t, &me, token); err != nil {
		t.Fatal(err)
	}
	wantMails := func(to string, want int) {
		t.Helper()
		n := 0
		for _, m := range p.idle(t) {
			if m.To == to {
				n++
			}
		}
		if n != want {
			t.Errorf("%d mails to %s, want %d", n, to, want)
		}
	}
	wantMails("b@example.com", 2)
	for range identity.MaxMails {
		p.request(t, email)
	}
	wantMails(email, 1) // the notice
	p.age(t, "1 hour")
	p.byMail(t, email, password)
	wantMails(email, 2)
}

func TestNothingOfADeletedUsersAddressesStays(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	p.move(t, me, "b@example.com")
	p.ask(t, me, "c@example.com")
	if err := p.DeleteAccount(t.Context(), me.Principal, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if left := storetest.Traces(t, p.store, "@example.com"); len(left) > 0 {
		t.Errorf("addresses are in %v", left)
	}
	p.signUpAs(t, email)
}
