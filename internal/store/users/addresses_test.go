package users_test

import (
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestATakenAddress checks that no user gets the address of another one, and that a refused change
// neither uses the link up nor ends a sign-in.
func TestATakenAddress(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o, other := newOwner(t, s), newOwner(t, s)
	for _, purpose := range []notifications.Mail{toChange, toSignUp} {
		o.request(t, purpose, other.email)
		_, err := o.handOver(t, purpose, other.email)
		wantKind(t, "a mail with the link to "+string(purpose), err, fault.Conflict)
	}
	wantKind(t, "a change without a link", o.change(t, other.email), fault.Conflict)
	to := address()
	err := users.On(s).ChangeAddress(t.Context(), o.id, o.current, "stale", to, storetest.ByUser)
	wantKind(t, "a change after one of the password", err, fault.Conflict)

	tokens := links{
		toSignUp: o.link(t, toSignUp, to),
		toChange: o.link(t, toChange, to),
	}
	wantNone(t, "a change", other.change(t, to)) // after the mails were sent
	for purpose, token := range tokens {
		wantKind(t, string(purpose)+", taken meanwhile", o.use(t, purpose, token), fault.Conflict)
	}
	o.wantUser(t, "refused", row{Email: o.email, Password: "none"})
	if !storetest.SignInWorks(t, s, o.id, o.other) {
		t.Error("a refused change ended a sign-in")
	}
	wantNone(t, "another change", other.change(t, address()))
	wantNone(t, "free again", o.use(t, toChange, tokens[toChange]))
	o.wantUser(t, "changed", row{Email: to, Verified: true, Password: "none"})
}

// TestTheFormerAddressIsReserved checks that no other user gets an address that can be restored.
func TestTheFormerAddressIsReserved(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o, other := newOwner(t, s), newOwner(t, s)
	signUp := o.link(t, toSignUp, o.mailTo(toSignUp))
	storetest.Exec(t, s, `UPDATE links SET email = $1`, o.email)
	wantNone(t, "a change", o.use(t, toChange, o.link(t, toChange, address())))
	other.request(t, toChange, o.email)
	open := func() error {
		return storetest.ErrOnly(accounts.On(s).CreateAccount(t.Context(),
			accounts.NewAccount{Email: o.email, Name: "Eve", PasswordHash: "none"}))
	}
	reserved := func(when string) {
		t.Helper()
		wantKind(t, when+", a new account", open(), fault.Conflict)
		wantKind(t, when+", a sign-up", o.use(t, toSignUp, signUp), fault.Conflict)
		wantKind(t, when+", a change", other.change(t, o.email), fault.Conflict)
		_, err := other.handOver(t, toChange, o.email)
		wantKind(t, when+", a mail with a link", err, fault.Conflict)
	}
	reserved("before the notice is sent")
	undo := o.handedOver(t, toUndo, o.email)
	storetest.Exec(t, s, `UPDATE links SET expires_at = expires_at - interval '167 hours'
		WHERE purpose = 'UNDO_CHANGE'`)
	reserved("after 167 hours")
	o.age(t, time.Hour)
	wantKind(t, "the link after 7 days", o.use(t, toUndo, undo), fault.NotFound)
	wantNone(t, "an account after 7 days", open())
}

// TestUndoOfTwoChanges checks that the link of the first change restores the address, however often
// a thief changed it, restored a later one, or reset the password.
func TestUndoOfTwoChanges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	restored := func(email string) row { return row{Email: email, Verified: true, Password: "void"} }
	for what, thief := range map[string]func(o owner, second string, undo [32]byte){
		"nothing else": func(owner, string, [32]byte) {},
		"an undo of the second and a reset": func(o owner, second string, undo [32]byte) {
			wantNone(t, "the second link", o.use(t, toUndo, undo))
			o.wantUser(t, "the second link", restored(second))
			wantNone(t, "a reset", o.use(t, toReset, o.link(t, toReset, second)))
		},
	} {
		o, second, third := newOwner(t, s), address(), address()
		first := o.move(t, second)
		later := o.move(t, third)
		thief(o, second, later)
		wantNone(t, what, o.use(t, toUndo, first))
		o.wantUser(t, what, restored(o.email))
		o.handedOver(t, toReset, o.email) // the owner gets a link for a new password
		for which, token := range map[string][32]byte{"the first": first, "the second": later} {
			err := o.use(t, toUndo, token)
			wantKind(t, what+", "+which+" link afterwards", err, fault.NotFound)
		}
		wantNone(t, what+", the thief's address is free", newOwner(t, s).change(t, third))
	}
}

// TestUndoAndTheSecondFactor checks that an undo keeps the factor of a verified address. It
// verifies any other address and removes the factor, which may be a thief's.
func TestUndoAndTheSecondFactor(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, verified := range []bool{true, false} {
		o := newOwner(t, s)
		storetest.Exec(t, s, `UPDATE users SET email_verified_at = CASE WHEN $2 THEN now() END
			WHERE id = $1`, o.id, verified)
		undo := o.move(t, address())
		o.setUp(t)
		err := users.On(s).UndoChange(t.Context(), undo, "void", false, storetest.ByUser)
		wantNone(t, "undo", err)
		o.wantUser(t, "restored", row{Email: o.email, Verified: true, Password: "void", Factor: verified})
		n := storetest.CountRows(t, s, `SELECT count(*) FROM outbox
			WHERE address = $1 AND message = 'PASSWORD_RESET'`, o.email)
		if n != 0 {
			t.Errorf("%d mails without mail", n)
		}
	}
}

// TestNothingOfADeletedUsersAddressesStays checks the former, the current and the next address.
func TestNothingOfADeletedUsersAddressesStays(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := newOwner(t, s)
	o.link(t, toReset, o.email)
	storetest.Exec(t, s, `UPDATE outbox SET due_at = NULL, sent_at = now()`)
	o.move(t, address())
	o.link(t, toChange, address())
	err := erasure.On(s).DeleteAnyAccount(t.Context(), o.account, storetest.ByUser)
	wantNone(t, "the deletion", err)
	if left := storetest.Traces(t, s, "@example.com"); len(left) > 0 {
		t.Errorf("addresses are in %v", left)
	}
}
