package identity_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

func TestPurgeKeepsWhatLasts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	kept, ended := b.signUp(t), b.signIn(t, home)
	if err := b.SignOut(t.Context(), ended.RefreshToken, nil, home); err != nil {
		t.Fatal(err)
	}
	b.exec(t, `UPDATE throttles SET expires_at = expires_at - interval '1 hour'`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	left := func() int {
		return storetest.CountRows(t, b.store, `SELECT count(*)
			FROM (SELECT FROM sign_ins UNION ALL SELECT FROM throttles) AS kept`)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(5 * time.Second); left() != 1; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%d rows are left", left())
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run: %v", err)
	}
	if !b.authentic(t, kept.AccessToken) {
		t.Error("a sign-in that lasts was purged")
	}
}

// TestAuthenticate checks that access tokens expire by the database's clock, whatever the clock of
// the replica, and that a request is authenticated in one statement.
func TestAuthenticate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	at := func(d time.Duration) string {
		token, _ := b.tokens.IssueAccess(p.UserID, p.SignInID, time.Now().Add(d))
		return token
	}
	foreign, _ := b.tokens.IssueAccess(b.signUpAs(t, grace).Principal.UserID, p.SignInID, time.Now())
	for name, c := range map[string]struct {
		token string
		want  bool
	}{
		"its own":                {session.AccessToken, true},
		"14 minutes old":         {at(-14 * time.Minute), true},
		"16 minutes old":         {at(-16 * time.Minute), false},
		"issued in the future":   {at(10 * time.Minute), false},
		"another user's sign-in": {foreign, false},
	} {
		before := b.statements.Load()
		_, _, err := b.Authenticate(t.Context(), c.token, uuid.Nil, home)
		n := b.statements.Load() - before
		if (err == nil) != c.want || !c.want && !fault.Is(err, fault.Unauthorized) || n != 1 {
			t.Errorf("%s: %v in %d statements", name, err, n)
		}
	}
	storetest.SetAccountState(t, b.store, p.AccountID, account.Suspended)
	_, seen, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
	if err != nil || seen.State != account.Suspended {
		t.Errorf("of a suspended account: %+v %v", seen, err)
	}
	_, err = b.SignedIn(t.Context(), p)
	wantKind(t, "a stream of a suspended account", err, fault.Unauthorized)
}

// TestANewSignInReplacesTheBrowsers checks that a new sign-in or sign-up ends the sign-in of the
// browser's refresh token, on every replica, and that an altered token ends none.
func TestANewSignInReplacesTheBrowsers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.signUp(t)
	b.signIn(t, holding(first.RefreshToken+"x"))
	if !b.authentic(t, first.AccessToken) {
		t.Error("an altered token ended the browser's sign-in")
	}
	second := b.signIn(t, holding(first.RefreshToken))
	up := identity.SignUpInput{Email: grace, Password: password, Name: "Grace"}
	third, err := b.SignUp(t.Context(), up, holding(second.RefreshToken))
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]bool{
		first.AccessToken:  false,
		second.AccessToken: false,
		third.AccessToken:  true,
	} {
		if b.authentic(t, token) != want {
			t.Errorf("%.40s works: %v", token, !want)
		}
	}
}
