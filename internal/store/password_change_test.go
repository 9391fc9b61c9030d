package store_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestPasswordChangeEndsTheOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	own, second, foreign := signIn(t, s, f.Account.OwnerID), signIn(t, s, f.Account.OwnerID), signIn(t, s, other.Account.OwnerID)
	unchanged := func(what string) {
		t.Helper()
		c, err := s.Credentials(t.Context(), f.Account.OwnerID)
		if err != nil || c.PasswordHash != "none" || !active(t, s, f.Account.OwnerID, second) {
			t.Errorf("%s changed something: %+v %v", what, c, err)
		}
	}
	err := s.SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, own, store.PasswordChange{VerifiedHash: "stale", NewHash: "new"}, byUser)
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("over another change: %v", err)
	}
	unchanged("a conflict")
	for name, keep := range map[string]uuid.UUID{"another account's": foreign, "a random": uuid.New()} {
		err := s.SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, keep, store.PasswordChange{VerifiedHash: "none", NewHash: "new"}, byUser)
		if !fault.Is(err, fault.Unauthorized) {
			t.Errorf("by %s sign-in: %v", name, err)
		}
		unchanged(name + " sign-in")
	}
	change := store.PasswordChange{VerifiedHash: "none", NewHash: "new"}
	if err := s.SetPasswordAndEndOthers(t.Context(), f.Account.OwnerID, own, change, byUser); err != nil {
		t.Fatal(err)
	}
	if !active(t, s, f.Account.OwnerID, own) || active(t, s, f.Account.OwnerID, second) || !active(t, s, other.Account.OwnerID, foreign) {
		t.Error("the wrong sign-ins ended")
	}
	if c, err := s.CredentialsByEmail(t.Context(), f.Account.Email); err != nil || c.PasswordHash != "new" || c.UserID != f.Account.OwnerID {
		t.Errorf("%+v %v", c, err)
	}
	_, err = s.CreateSignIn(t.Context(), store.Credentials{UserID: f.Account.OwnerID, PasswordHash: "none"}, store.NewSignIn{ID: uuid.New()})
	if !fault.Is(err, fault.InvalidCredentials) {
		t.Errorf("a sign-in with the password that was verified before: %v", err)
	}
}

// A sign-in whose password was checked before a change, and that is stored while the change is under way, does not survive.
func TestSignInDuringAPasswordChange(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	tx, err := s.DB().BeginTx(t.Context(), nil)
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
		_, err := s.CreateSignIn(t.Context(), store.Credentials{UserID: f.Account.OwnerID, PasswordHash: "none"}, store.NewSignIn{ID: id, RefreshHash: signInHash(id, 1)})
		outcome <- err
	}()
	waitForLocks(t, s, 1)
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
	in := store.NewAccount{Email: "a@example.com", Name: "Ada", PasswordHash: "none", StartingCredits: 20}
	id := uuid.Must(uuid.NewV7())
	opened, err := s.SignUp(t.Context(), in, store.NewSignIn{ID: id, RefreshHash: signInHash(id, 1)})
	if err != nil || opened.Account.CreditBalance != 20 || !active(t, s, opened.UserID, id) {
		t.Fatalf("%+v %v", opened, err)
	}
	if _, err := s.SignUp(t.Context(), in, store.NewSignIn{ID: uuid.New()}); !fault.Is(err, fault.Conflict) {
		t.Errorf("a known address: %v", err)
	}
	in.Email = "b@example.com"
	if _, err := s.SignUp(t.Context(), in, store.NewSignIn{ID: id}); err == nil {
		t.Error("a sign-in that cannot be stored")
	}
	if _, err := s.AccountByEmail(t.Context(), in.Email); !fault.Is(err, fault.NotFound) {
		t.Errorf("an account without its sign-in was left: %v", err)
	}
	if _, err := s.Credentials(t.Context(), uuid.New()); !fault.Is(err, fault.NotFound) {
		t.Errorf("credentials of nobody: %v", err)
	}
	storetest.Audit(t, s)
}

func TestPurgeSignIns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	kept, ended, idle := signIn(t, s, f.Account.OwnerID), signIn(t, s, f.Account.OwnerID), signIn(t, s, f.Account.OwnerID)
	if err := s.EndSignIn(t.Context(), f.Account.OwnerID, ended, byUser); err != nil {
		t.Fatal(err)
	}
	exec(t, s, `UPDATE sign_ins SET renew_before = clock_timestamp() WHERE id = $1`, idle)
	for _, want := range []int{1, 1, 0} {
		if n, err := s.PurgeSignIns(t.Context(), 1); n != want || err != nil {
			t.Errorf("purged %d, %v, want %d", n, err, want)
		}
	}
	if !active(t, s, f.Account.OwnerID, kept) {
		t.Error("a sign-in that lasts was purged")
	}
}
