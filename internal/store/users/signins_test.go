package users_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
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
	for _, want := range []bool{false, true} {
		got, err := users.On(s).SignInActive(t.Context(), f.Account.OwnerID, id, uuid.Nil)
		if err != nil || got.Reauthenticated != want {
			t.Errorf("reauthenticated is %v, %v, want %v", got.Reauthenticated, err, want)
		}
		wantNone(t, "confirm", users.On(s).ConfirmSignIn(t.Context(), f.Account.OwnerID, id))
	}
}

func TestWhatEndsASignIn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx, u, by, stranger := t.Context(), users.On(s), storetest.ByUser, newOwner(t, s)
	replace := func(id, user uuid.UUID, hash string) error {
		verified := users.Credentials{UserID: user, PasswordHash: hash}
		_, err := u.CreateSignIn(ctx, verified, users.NewSignIn{ID: uuid.New(), Replaces: id})
		return err
	}
	for name, c := range map[string]struct {
		stays bool
		do    func(o owner) error
	}{
		"nothing": {true, func(owner) error { return nil }},
		"ended by another user": {true, func(o owner) error {
			wantKind(t, "ending it", u.EndSignIn(ctx, stranger.id, o.current, by), fault.NotFound)
			return storetest.ErrOnly(u.EndAllSignIns(ctx, stranger.id, by))
		}},
		"a refused sign-in": {true, func(o owner) error {
			wantKind(t, "a refused one", replace(o.current, o.id, "stale"), fault.InvalidCredentials)
			return nil
		}},
		"replaced by another user": {false, func(o owner) error {
			return replace(o.current, stranger.id, "none")
		}},
		"replaced by a sign-up": {false, func(o owner) error {
			in := accounts.NewAccount{Email: address(), Name: "Grace", PasswordHash: "none"}
			signIn := users.NewSignIn{ID: uuid.New(), Replaces: o.current}
			return storetest.ErrOnly(accounts.On(s).SignUp(ctx, in, signIn))
		}},
		"ended": {false, func(o owner) error { return u.EndSignIn(ctx, o.id, o.current, by) }},
		"by its token": {false, func(o owner) error {
			return errors.Join(u.EndSignInOfToken(ctx, o.current, by), u.EndSignInOfToken(ctx, o.current, by))
		}},
		"all ended": {false, func(o owner) error {
			return storetest.ErrOnly(u.EndAllSignIns(ctx, o.id, by))
		}},
		"idle": {false, func(o owner) error {
			storetest.Exec(t, s, `UPDATE sign_ins SET renew_before = renew_before - interval '7 days'
				WHERE id = $1`, o.current)
			return nil
		}},
		"expired": {false, func(o owner) error {
			storetest.Exec(t, s, `UPDATE sign_ins SET expires_at = expires_at - interval '30 days',
				renew_before = expires_at - interval '30 days' WHERE id = $1`, o.current)
			return nil
		}},
	} {
		o := newOwner(t, s)
		wantNone(t, name, c.do(o))
		if storetest.SignInWorks(t, s, o.id, o.current) != c.stays {
			t.Errorf("%s: active is %v", name, !c.stays)
		}
		if storetest.SignInWorks(t, s, stranger.id, o.current) {
			t.Errorf("%s: active for another user", name)
		}
		err := u.ConfirmSignIn(ctx, stranger.id, o.current)
		wantKind(t, name+", confirmed by another user", err, fault.Unauthorized)
		_, err = u.RotateSignIn(ctx, rotation(o.current, 1), by)
		if c.stays && err != nil || !c.stays && !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%s: renewing: %v", name, err)
		}
		for user, want := range map[uuid.UUID]bool{o.id: c.stays, stranger.id: false} {
			listed, err := u.ListSignIns(ctx, user)
			isIt := func(i users.SignIn) bool { return i.ID == o.current }
			if err != nil || slices.ContainsFunc(listed, isIt) != want {
				t.Errorf("%s: listed %v, %v", name, listed, err)
			}
		}
		if !c.stays {
			wantKind(t, name+", then confirmed", u.ConfirmSignIn(ctx, o.id, o.current), fault.Unauthorized)
			wantKind(t, name+", then ended", u.EndSignIn(ctx, o.id, o.current, by), fault.NotFound)
		}
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
		"many at once": {func(id uuid.UUID) error {
			n := storetest.AtOnce(t, 20, fault.Unauthorized, func() error { return rotate(id, 1) })
			if n != 20 {
				return fmt.Errorf("%d of 20 renewals got the successor", n)
			}
			return rotate(id, 2)
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
	storetest.Exec(t, s, `DELETE FROM memberships`)
	third, err := users.On(s).RotateSignIn(t.Context(), rotation(id, 3), storetest.ByUser)
	if err != nil || third.Account != (account.Account{}) || third.Role != "" {
		t.Errorf("of a user without an account: %+v %v", third, err)
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
