package users_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestRefusedPasswordChange checks that a change needs the current password and a sign-in of the
// user. TestWhatAChangeEnds has the other changes.
func TestRefusedPasswordChange(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o, foreign := newOwner(t, s), newOwner(t, s).current
	for what, c := range map[string]struct {
		verified string
		signIn   uuid.UUID
		want     fault.Kind
	}{
		"over another change": {"stale", o.current, fault.Conflict},
		"another user's":      {"none", foreign, fault.Unauthorized},
		"by a random sign-in": {"none", uuid.New(), fault.Unauthorized},
	} {
		change := users.PasswordChange{VerifiedHash: c.verified, NewHash: "new"}
		err := users.On(s).SetPasswordAndEndOthers(t.Context(), o.id, c.signIn, change, storetest.ByUser)
		wantKind(t, what, err, c.want)
	}
	o.wantUser(t, "refused", row{Email: o.email, Password: "none"})
	if !storetest.SignInWorks(t, s, o.id, o.other) {
		t.Error("a refused change ended a sign-in")
	}
	stale := users.Credentials{UserID: o.id, PasswordHash: "stale"}
	_, err := users.On(s).CreateSignIn(t.Context(), stale, users.NewSignIn{ID: uuid.New()})
	wantKind(t, "a sign-in with a former password", err, fault.InvalidCredentials)
}

// TestSignInDuringAPasswordChange tests that a sign-in does not survive a password change if its
// password was checked before the change and it is stored while the change runs.
func TestSignInDuringAPasswordChange(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(`UPDATE users SET password_hash = 'new' WHERE id = $1`, f.Account.OwnerID); err != nil {
		t.Fatal(err)
	}
	outcome := make(chan error, 1)
	go func() {
		id := uuid.New()
		_, err := users.On(s).CreateSignIn(t.Context(),
			users.Credentials{UserID: f.Account.OwnerID, PasswordHash: "none"}, users.NewSignIn{ID: id, RefreshHash: storetest.SignInHash(id, 1)})
		outcome <- err
	}()
	storetest.WaitForLocks(t, s, 1)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-outcome; !fault.Is(err, fault.InvalidCredentials) {
		t.Errorf("got %v", err)
	}
}

func TestSignUpIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	in := accounts.NewAccount{Email: "a@example.com", Name: "Ada", PasswordHash: "none", StartingCredits: 20}
	id := uuid.Must(uuid.NewV7())
	opened, err := accounts.On(s).SignUp(t.Context(), in,
		users.NewSignIn{ID: id, RefreshHash: storetest.SignInHash(id, 1)})
	if err != nil || opened.Account.CreditBalance != 20 || !storetest.SignInWorks(t, s, opened.UserID, id) {
		t.Fatalf("%+v %v", opened, err)
	}
	in.Email = "b@example.com"
	if _, err := accounts.On(s).SignUp(t.Context(), in, users.NewSignIn{ID: id}); err == nil {
		t.Error("a sign-in that cannot be stored")
	}
	if _, err := operator.On(s).AccountByEmail(t.Context(), in.Email); !fault.Is(err, fault.NotFound) {
		t.Errorf("an account without its sign-in was left: %v", err)
	}
	if _, err := users.On(s).Credentials(t.Context(), uuid.New()); !fault.Is(err, fault.NotFound) {
		t.Errorf("credentials of an unknown user: %v", err)
	}
	storetest.Audit(t, s)
}

func TestPurgeSignIns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	kept, ended, idle := storetest.SignIn(t, s, f.Account.OwnerID), storetest.SignIn(t, s,
		f.Account.OwnerID), storetest.SignIn(t, s, f.Account.OwnerID)
	if err := users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, ended, storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, s, `UPDATE sign_ins SET renew_before = clock_timestamp() WHERE id = $1`, idle)
	for _, want := range []int{1, 1, 0} {
		if n, err := users.On(s).PurgeSignIns(t.Context(), 1); n != want || err != nil {
			t.Errorf("purged %d, %v, want %d", n, err, want)
		}
	}
	if !storetest.SignInWorks(t, s, f.Account.OwnerID, kept) {
		t.Error("a sign-in that lasts was purged")
	}
}
