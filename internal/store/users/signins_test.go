package users_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// rotation presents a generation's refresh token.
func rotation(id uuid.UUID, generation uint32) users.Rotation {
	return users.Rotation{SignInID: id, Generation: generation, Hash: storetest.SignInHash(id, generation),
		SuccessorHash: storetest.SignInHash(id, generation+1)}
}

func TestSignInIsLookedUpWithItsAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 7})
	id := storetest.SignIn(t, s, f.Account.OwnerID)
	got, err := users.On(s).SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil)
	if err != nil || got.Account != f.Account.Account || !got.Reauthenticated {
		t.Errorf("%+v %v, want %+v", got, err, f.Account)
	}
	if d := time.Since(got.Now); d < -time.Minute || d > time.Minute {
		t.Errorf("the database's time is %v", got.Now)
	}
	storetest.Exec(t, s,
		`UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
	if got, err := users.On(s).SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil); err != nil || got.Reauthenticated {
		t.Errorf("ten minutes later: %+v %v", got, err)
	}
	if err := users.On(s).ConfirmSignIn(t.Context(), f.Account.OwnerID, id); err != nil {
		t.Error(err)
	}
	if got, err := users.On(s).SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil); err != nil || !got.Reauthenticated {
		t.Errorf("confirmed again: %+v %v", got, err)
	}
}

func TestWhatEndsASignIn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	other := storetest.Seed(t, s, storetest.Options{})
	for name, end := range map[string]func(f storetest.Fixture, id uuid.UUID) error{
		"nothing": func(storetest.Fixture, uuid.UUID) error { return nil },
		"ended": func(f storetest.Fixture, id uuid.UUID) error {
			return users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, id, storetest.ByUser)
		},
		"by its token": func(_ storetest.Fixture, id uuid.UUID) error {
			return errors.Join(users.On(s).EndSignInOfToken(t.Context(), id, storetest.ByUser),
				users.On(s).EndSignInOfToken(t.Context(), id, storetest.ByUser))
		},
		"all ended": func(f storetest.Fixture, _ uuid.UUID) error {
			_, err := users.On(s).EndAllSignIns(t.Context(), f.Account.OwnerID, storetest.ByUser)
			return err
		},
		"new password": func(f storetest.Fixture, _ uuid.UUID) error {
			return users.On(s).SetPasswordHash(t.Context(), f.Account.OwnerID, "another", storetest.ByUser)
		},
		"idle": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.SQL().Exec(`UPDATE sign_ins SET renew_before = renew_before - interval '7 days' WHERE id = $1`, id)
			return err
		},
		"expired": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.SQL().Exec(`UPDATE sign_ins SET expires_at = expires_at - interval '30 days',
				renew_before = expires_at - interval '30 days' WHERE id = $1`, id)
			return err
		},
		"purged": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.SQL().Exec(`DELETE FROM sign_ins WHERE id = $1`, id)
			return err
		},
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		id := storetest.SignIn(t, s, f.Account.OwnerID)
		if err := end(f, id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := name == "nothing"
		if got := storetest.SignInWorks(t, s, f.Account.OwnerID, id); got != want {
			t.Errorf("%s: active is %v", name, got)
		}
		if storetest.SignInWorks(t, s, other.Account.OwnerID, id) {
			t.Errorf("%s: active for another account", name)
		}
		if err := users.On(s).ConfirmSignIn(t.Context(), other.Account.OwnerID, id); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%s: confirmed by another account: %v", name, err)
		}
		if _, err := users.On(s).RotateSignIn(t.Context(), rotation(id, 1), storetest.ByUser); (err == nil) != want || (!want && !fault.Is(err, fault.Unauthorized)) {
			t.Errorf("%s: renewing: %v", name, err)
		}
		listed, err := users.On(s).ListSignIns(t.Context(), f.Account.OwnerID)
		if err != nil || (len(listed) == 1) != want {
			t.Errorf("%s: listed %v, %v", name, listed, err)
		}
	}
}

func TestSignInIsTheAccountsOwn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	id := storetest.SignIn(t, s, f.Account.OwnerID)
	for name, err := range map[string]error{
		"another account's": users.On(s).EndSignIn(t.Context(), other.Account.OwnerID, id, storetest.ByUser),
		"a random one":      users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, uuid.New(), storetest.ByUser),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("ending %s: %v", name, err)
		}
	}
	if n, err := users.On(s).EndAllSignIns(t.Context(), other.Account.OwnerID, storetest.ByUser); err != nil || n != 0 {
		t.Errorf("ended %d, %v", n, err)
	}
	if listed, err := users.On(s).ListSignIns(t.Context(), other.Account.OwnerID); err != nil || len(listed) != 0 {
		t.Errorf("the other account lists %v, %v", listed, err)
	}
	if !storetest.SignInWorks(t, s, f.Account.OwnerID, id) {
		t.Error("another account ended the sign-in")
	}
	if err := users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, id, storetest.ByUser); err != nil {
		t.Error(err)
	}
	if err := users.On(s).EndSignIn(t.Context(), f.Account.OwnerID, id, storetest.ByUser); !fault.Is(err, fault.NotFound) {
		t.Errorf("ending it twice: %v", err)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	age := func(id uuid.UUID, interval string) {
		storetest.Exec(t, s,
			`UPDATE sign_ins SET rotated_at = rotated_at - $2::interval WHERE id = $1`, id, interval)
	}
	rotate := func(id uuid.UUID, generation uint32) error {
		_, err := users.On(s).RotateSignIn(t.Context(), rotation(id, generation), storetest.ByUser)
		if err != nil && !fault.Is(err, fault.Unauthorized) {
			t.Fatal(err)
		}
		return err
	}
	for name, c := range map[string]struct {
		steps func(id uuid.UUID) error
		ends  bool
	}{
		"each in turn": {func(id uuid.UUID) error { return errors.Join(rotate(id, 1), rotate(id, 2), rotate(id, 3)) }, false},
		"twice within the grace": {func(id uuid.UUID) error {
			err := errors.Join(rotate(id, 1), rotate(id, 1))
			age(id, "9 seconds")
			return errors.Join(err, rotate(id, 1), rotate(id, 2))
		}, false},
		"twice after the grace": {func(id uuid.UUID) error {
			_ = rotate(id, 1)
			age(id, "10 seconds")
			return rotate(id, 1)
		}, true},
		"the grace is not renewed by its use": {func(id uuid.UUID) error {
			_ = rotate(id, 1)
			age(id, "6 seconds")
			_ = rotate(id, 1)
			age(id, "4 seconds")
			return rotate(id, 1)
		}, true},
		"the one before the one before": {func(id uuid.UUID) error {
			_, _ = rotate(id, 1), rotate(id, 2)
			return rotate(id, 1)
		}, true},
		"one that was never given": {func(id uuid.UUID) error { return rotate(id, 9) }, true},
		"the right generation with another hash": {func(id uuid.UUID) error {
			r := rotation(id, 1)
			r.Hash[0]++
			_, err := users.On(s).RotateSignIn(t.Context(), r, storetest.ByUser)
			return err
		}, true},
	} {
		id := storetest.SignIn(t, s, f.Account.OwnerID)
		if err := c.steps(id); (err != nil) != c.ends {
			t.Errorf("%s: %v", name, err)
		}
		if storetest.SignInWorks(t, s, f.Account.OwnerID, id) == c.ends {
			t.Errorf("%s: active is %v afterwards", name, !c.ends)
		}
		// The honest client's own token is worth nothing either once the family has ended.
		for generation := uint32(1); c.ends && generation < 5; generation++ {
			if rotate(id, generation) == nil {
				t.Errorf("%s: generation %d still renews", name, generation)
			}
		}
	}
	if err := rotate(uuid.New(), 1); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("an unknown sign-in: %v", err)
	}
}

func TestRotationExtendsTheSignInUpToItsEnd(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	id := storetest.SignIn(t, s, f.Account.OwnerID)
	first, err := users.On(s).RotateSignIn(t.Context(), rotation(id, 1), storetest.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if got := first.RenewBefore.Sub(first.Now); got < users.SignInIdle-time.Minute || got > users.SignInIdle || first.Account != f.Account.Account {
		t.Errorf("renewed for %v, account %+v", got, first.Account)
	}
	storetest.Exec(t, s, `UPDATE sign_ins SET expires_at = statement_timestamp() + interval '1 hour',
		renew_before = statement_timestamp() + interval '1 hour'`)
	second, err := users.On(s).RotateSignIn(t.Context(), rotation(id, 2), storetest.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if got := second.RenewBefore.Sub(second.Now); got > time.Hour || got < time.Hour-time.Minute {
		t.Errorf("an hour before its end it was renewed for %v", got)
	}
}

func TestSignInsAreBoundedAndListed(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var ids []uuid.UUID
	for range users.MaxSignIns {
		ids = append(ids, storetest.SignIn(t, s, f.Account.OwnerID))
	}
	if _, err := users.On(s).RotateSignIn(t.Context(), rotation(ids[0], 1), storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, storetest.SignIn(t, s, f.Account.OwnerID))
	listed, err := users.On(s).ListSignIns(t.Context(), f.Account.OwnerID)
	if err != nil || len(listed) != users.MaxSignIns {
		t.Fatalf("%d are listed, %v", len(listed), err)
	}
	if listed[0].ID != ids[len(ids)-1] || listed[1].ID != ids[0] || listed[0].Browser != "Browser" || listed[0].Address != "127.0.0.1" {
		t.Errorf("the latest renewed are not first: %+v", listed[:2])
	}
	if storetest.SignInWorks(t, s, f.Account.OwnerID, ids[1]) || !storetest.SignInWorks(t, s, f.Account.OwnerID, ids[2]) || !storetest.SignInWorks(t, s, f.Account.OwnerID, ids[0]) {
		t.Error("it is not the one renewed longest ago that made place")
	}
}
