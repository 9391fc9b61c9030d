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

func TestPasswordChangeEndsTheOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	own, second, foreign := storetest.SignIn(t, s, f.Account.OwnerID), storetest.SignIn(t, s,
		f.Account.OwnerID), storetest.SignIn(t, s, other.Account.OwnerID)
	unchanged := func(what string) {
		t.Helper()
		c, err := users.On(s).Credentials(t.Context(), f.Account.OwnerID)
		if err != nil || c.PasswordHash != "none" || !storetest.SignInWorks(t, s, f.Account.OwnerID, second) {
			t.Errorf("%s changed something: %+v %v", what, c, err)
		}
	}
	err := users.On(s).SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, own,
		users.PasswordChange{VerifiedHash: "stale", NewHash: "new"}, storetest.ByUser)
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("over another change: %v", err)
	}
	unchanged("a conflict")
	for name, keep := range map[string]uuid.UUID{"another account's": foreign, "a random": uuid.New()} {
		err := users.On(s).SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, keep,
			users.PasswordChange{VerifiedHash: "none", NewHash: "new"}, storetest.ByUser)
		if !fault.Is(err, fault.Unauthorized) {
			t.Errorf("by %s sign-in: %v", name, err)
		}
		unchanged(name + " sign-in")
	}
	change := users.PasswordChange{VerifiedHash: "none", NewHash: "new"}
	if err := users.On(s).SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, own, change, storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	if !storetest.SignInWorks(t, s, f.Account.OwnerID, own) || storetest.SignInWorks(t, s, f.Account.OwnerID, second) || !storetest.SignInWorks(t, s, other.Account.OwnerID, foreign) {
		t.Error("the wrong sign-ins ended")
	}
	if c, err := users.On(s).CredentialsByEmail(t.Context(), f.Account.Email); err != nil || c.PasswordHash != "new" || c.UserID != f.Account.OwnerID {
		t.Errorf("%+v %v", c, err)
	}
	_, err = users.On(s).CreateSignIn(t.Context(),
		users.Credentials{UserID: f.Account.OwnerID, PasswordHash: "none"}, users.NewSignIn{ID: uuid.New()})
	if !fault.Is(err, fault.InvalidCredentials) {
		t.Errorf("a sign-in with the password that was verified before: %v", err)
	}
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
	if _, err := accounts.On(s).SignUp(t.Context(), in, users.NewSignIn{ID: uuid.New()}); !fault.Is(err, fault.Conflict) {
		t.Errorf("a known address: %v", err)
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
