package identity_test

import (
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/mail/mailtest"
)

// TestUndoOfTheFirstOfTwoChanges checks that the link of the first change restores the address,
// however often a thief changed it.
func TestUndoOfTheFirstOfTwoChanges(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	undoA := p.move(t, me, "b@example.com")
	undoB := p.move(t, me, "c@example.com")
	if err := p.undo(t, undoA); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "A's link", me, email, true)
	if p.authentic(t, me.AccessToken) {
		t.Error("a sign-in still works")
	}
	wantKind(t, "B's link afterwards", p.undo(t, undoB), fault.InvalidInput)
	wantKind(t, "A's link twice", p.undo(t, undoA), fault.InvalidInput)
	p.signUpAs(t, "b@example.com") // the thief's address is free
	if got := p.events(t, me.Principal.UserID); got[len(got)-1] != "undoEmailChange email password 192.0.2.1" {
		t.Errorf("the entries are %q", got)
	}
}

// TestUndoIsNotVoidedByALaterOne checks that the thief's link to B does not void the link to A, and
// that A's link voids the thief's reset.
func TestUndoIsNotVoidedByALaterOne(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	undoA := p.move(t, me, "b@example.com")
	undoB := p.move(t, me, "c@example.com")
	if err := p.undo(t, undoB); err != nil {
		t.Fatal(err)
	}
	p.wantAddress(t, "B's link", me, "b@example.com", true)
	_, err := p.SignIn(t.Context(), identity.SignInInput{Email: "b@example.com", Password: password}, home)
	wantKind(t, "the password, which the thief knew", err, fault.InvalidCredentials)
	p.request(t, "b@example.com")
	reset := p.last(t, "b@example.com").Token()
	if err := p.resetTo(t, reset, another); err != nil {
		t.Fatal(err)
	}
	p.request(t, "b@example.com")
	reset = p.last(t, "b@example.com").Token()
	if err := p.undo(t, undoA); err != nil { // after a reset, too
		t.Fatal(err)
	}
	p.wantAddress(t, "A's link", me, email, true)
	wantKind(t, "the thief's reset", p.reset(t, reset), fault.InvalidInput)
}

func TestTheFormerAddressIsReserved(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me, other := p.signIn(t, home), p.signUpAs(t, "grace@example.com")
	p.server.Answer(func(m mailtest.Message) error { // the notice does not go out yet
		if m.To == email {
			return mailtest.Refuse(451, "Not now")
		}
		return nil
	})
	if err := p.verify(t, &me, p.ask(t, me, "b@example.com")); err != nil {
		t.Fatal(err)
	}
	meanwhile := func() {
		t.Helper()
		_, err := p.unmailed.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Eve"}, home)
		wantKind(t, "signing up", err, fault.Conflict)
		wantKind(t, "changing to it", p.unmailed.ChangeEmail(t.Context(), other.Principal, email, identity.Reauthentication{Password: password}, home), fault.Conflict)
	}
	meanwhile()
	p.server.Answer(nil)
	p.exec(t, `UPDATE outbox SET due = clock_timestamp(), error = NULL WHERE due IS NOT NULL`)
	undo := p.last(t, email).Token()
	meanwhile()
	p.byMail(t, email, "Eve's password")
	if err := p.ChangeEmail(t.Context(), other.Principal, email, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if got := p.last(t, email); got.Token() != "" {
		t.Errorf("a mail to the former address has a link: %s", got.Text)
	}
	p.hours(t, "167 hours")
	meanwhile()
	if err := p.undo(t, undo); err != nil {
		t.Error(err)
	}
	p.wantAddress(t, "undone", me, email, true)
}

func TestUndoEndsAfterSevenDays(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	undo := p.move(t, me, "b@example.com")
	p.hours(t, "168 hours")
	wantKind(t, "after 7 days", p.undo(t, undo), fault.InvalidInput)
	p.signUpAs(t, email)
	if err := p.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := p.store.SQL().QueryRow(`SELECT count(*) FROM links`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d links are left, %v", left, err)
	}
}

// TestUndoAndTheSecondFactor checks that an undo verifies an unverified address and removes a
// thief's second factor, and keeps the factor of a verified address.
func TestUndoAndTheSecondFactor(t *testing.T) {
	t.Parallel()
	for name, proved := range map[string]bool{"a verified address": true, "an unverified one": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPost(t)
			me := p.signIn(t, home)
			if proved {
				p.exec(t, `UPDATE users SET email_verified_at = now()`)
			}
			undo := p.move(t, me, "b@example.com")
			p.exec(t, `UPDATE users SET second_factor_at = now(), second_factor_secret = 'x'`)
			if err := p.undo(t, undo); err != nil {
				t.Fatal(err)
			}
			p.wantAddress(t, name, me, email, true)
			var on bool
			if err := p.store.SQL().QueryRow(`SELECT second_factor_at IS NOT NULL FROM users`).Scan(&on); err != nil || on != proved {
				t.Errorf("the second factor is on: %v, %v", on, err)
			}
		})
	}
}
