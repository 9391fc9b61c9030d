package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// rotation presents a generation's refresh token.
func rotation(id uuid.UUID, generation uint32) store.Rotation {
	return store.Rotation{SignInID: id, Generation: generation, Hash: signInHash(id, generation),
		SuccessorHash: signInHash(id, generation+1)}
}

func TestSignInIsLookedUpWithItsAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 7})
	id := signIn(t, s, f.Account.OwnerID)
	got, err := s.SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil)
	if err != nil || got.Account != f.Account.Account || !got.Confirmed {
		t.Errorf("%+v %v, want %+v", got, err, f.Account)
	}
	if d := time.Since(got.Now); d < -time.Minute || d > time.Minute {
		t.Errorf("the database's time is %v", got.Now)
	}
	exec(t, s, `UPDATE sign_ins SET confirmed_at = confirmed_at - interval '10 minutes'`)
	if got, err := s.SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil); err != nil || got.Confirmed {
		t.Errorf("ten minutes later: %+v %v", got, err)
	}
	if err := s.ConfirmSignIn(t.Context(), f.Account.OwnerID, id); err != nil {
		t.Error(err)
	}
	if got, err := s.SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil); err != nil || !got.Confirmed {
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
			return s.EndSignIn(t.Context(), f.Account.OwnerID, id, byUser)
		},
		"by its token": func(_ storetest.Fixture, id uuid.UUID) error {
			return errors.Join(s.EndSignInOfToken(t.Context(), id, byUser), s.EndSignInOfToken(t.Context(), id, byUser))
		},
		"all ended": func(f storetest.Fixture, _ uuid.UUID) error {
			_, err := s.EndAllSignIns(t.Context(), f.Account.OwnerID, byUser)
			return err
		},
		"new password": func(f storetest.Fixture, _ uuid.UUID) error {
			return s.SetPasswordHash(t.Context(), f.Account.OwnerID, "another", byUser)
		},
		"idle": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.DB().Exec(`UPDATE sign_ins SET renew_before = renew_before - interval '7 days' WHERE id = $1`, id)
			return err
		},
		"expired": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.DB().Exec(`UPDATE sign_ins SET expires_at = expires_at - interval '30 days',
				renew_before = expires_at - interval '30 days' WHERE id = $1`, id)
			return err
		},
		"purged": func(_ storetest.Fixture, id uuid.UUID) error {
			_, err := s.DB().Exec(`DELETE FROM sign_ins WHERE id = $1`, id)
			return err
		},
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		id := signIn(t, s, f.Account.OwnerID)
		if err := end(f, id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := name == "nothing"
		if got := active(t, s, f.Account.OwnerID, id); got != want {
			t.Errorf("%s: active is %v", name, got)
		}
		if active(t, s, other.Account.OwnerID, id) {
			t.Errorf("%s: active for another account", name)
		}
		if err := s.ConfirmSignIn(t.Context(), other.Account.OwnerID, id); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%s: confirmed by another account: %v", name, err)
		}
		if _, err := s.RotateSignIn(t.Context(), rotation(id, 1), byUser); (err == nil) != want || (!want && !fault.Is(err, fault.Unauthorized)) {
			t.Errorf("%s: renewing: %v", name, err)
		}
		listed, err := s.ListSignIns(t.Context(), f.Account.OwnerID)
		if err != nil || (len(listed) == 1) != want {
			t.Errorf("%s: listed %v, %v", name, listed, err)
		}
	}
}

func TestSignInIsTheAccountsOwn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	id := signIn(t, s, f.Account.OwnerID)
	for name, err := range map[string]error{
		"another account's": s.EndSignIn(t.Context(), other.Account.OwnerID, id, byUser),
		"a random one":      s.EndSignIn(t.Context(), f.Account.OwnerID, uuid.New(), byUser),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("ending %s: %v", name, err)
		}
	}
	if n, err := s.EndAllSignIns(t.Context(), other.Account.OwnerID, byUser); err != nil || n != 0 {
		t.Errorf("ended %d, %v", n, err)
	}
	if listed, err := s.ListSignIns(t.Context(), other.Account.OwnerID); err != nil || len(listed) != 0 {
		t.Errorf("the other account lists %v, %v", listed, err)
	}
	if !active(t, s, f.Account.OwnerID, id) {
		t.Error("another account ended the sign-in")
	}
	if err := s.EndSignIn(t.Context(), f.Account.OwnerID, id, byUser); err != nil {
		t.Error(err)
	}
	if err := s.EndSignIn(t.Context(), f.Account.OwnerID, id, byUser); !fault.Is(err, fault.NotFound) {
		t.Errorf("ending it twice: %v", err)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	age := func(id uuid.UUID, interval string) {
		exec(t, s, `UPDATE sign_ins SET rotated_at = rotated_at - $2::interval WHERE id = $1`, id, interval)
	}
	rotate := func(id uuid.UUID, generation uint32) error {
		_, err := s.RotateSignIn(t.Context(), rotation(id, generation), byUser)
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
			_, err := s.RotateSignIn(t.Context(), r, byUser)
			return err
		}, true},
	} {
		id := signIn(t, s, f.Account.OwnerID)
		if err := c.steps(id); (err != nil) != c.ends {
			t.Errorf("%s: %v", name, err)
		}
		if active(t, s, f.Account.OwnerID, id) == c.ends {
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
	id := signIn(t, s, f.Account.OwnerID)
	first, err := s.RotateSignIn(t.Context(), rotation(id, 1), byUser)
	if err != nil {
		t.Fatal(err)
	}
	if got := first.RenewBefore.Sub(first.Now); got < store.SignInIdle-time.Minute || got > store.SignInIdle || first.Account != f.Account.Account {
		t.Errorf("renewed for %v, account %+v", got, first.Account)
	}
	exec(t, s, `UPDATE sign_ins SET expires_at = statement_timestamp() + interval '1 hour',
		renew_before = statement_timestamp() + interval '1 hour'`)
	second, err := s.RotateSignIn(t.Context(), rotation(id, 2), byUser)
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
	for range store.MaxSignIns {
		ids = append(ids, signIn(t, s, f.Account.OwnerID))
	}
	if _, err := s.RotateSignIn(t.Context(), rotation(ids[0], 1), byUser); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, signIn(t, s, f.Account.OwnerID))
	listed, err := s.ListSignIns(t.Context(), f.Account.OwnerID)
	if err != nil || len(listed) != store.MaxSignIns {
		t.Fatalf("%d are listed, %v", len(listed), err)
	}
	if listed[0].ID != ids[len(ids)-1] || listed[1].ID != ids[0] || listed[0].Browser != "Browser" || listed[0].Address != "127.0.0.1" {
		t.Errorf("the latest renewed are not first: %+v", listed[:2])
	}
	if active(t, s, f.Account.OwnerID, ids[1]) || !active(t, s, f.Account.OwnerID, ids[2]) || !active(t, s, f.Account.OwnerID, ids[0]) {
		t.Error("it is not the one renewed longest ago that made place")
	}
}
