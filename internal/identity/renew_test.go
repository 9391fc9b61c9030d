package identity_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

func TestRenewAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.signUp(t)
	var mu sync.Mutex
	successors := map[string]int{}
	var work sync.WaitGroup
	start := make(chan struct{})
	for i := range 20 {
		work.Go(func() {
			<-start
			session, err := []*identity.Service{b.Service, b.second}[i%2].Renew(t.Context(), holding(first.RefreshToken))
			if err != nil {
				t.Errorf("renewal %d: %v", i, err)
			}
			mu.Lock()
			defer mu.Unlock()
			successors[session.RefreshToken]++
		})
	}
	close(start)
	work.Wait()
	if len(successors) != 1 {
		t.Fatalf("20 renewals at once got %d successors", len(successors))
	}
	for successor := range successors {
		again, err := b.Renew(t.Context(), holding(successor))
		if err != nil || again.Principal != first.Principal || again.Account != first.Account ||
			again.KnownBrowser != first.KnownBrowser || !b.authentic(t, again.AccessToken) {
			t.Errorf("renewing the successor: %+v, %v", again, err)
		}
	}
}

func TestRenewWithoutAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	b.exec(t, `DELETE FROM memberships`)
	renewed, err := b.Renew(t.Context(), holding(session.RefreshToken))
	if err != nil || renewed.Account.ID != uuid.Nil || renewed.Principal.Role != "" {
		t.Errorf("renewed: %+v, %v", renewed, err)
	}
}

func TestMalformedTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	before := b.statements.Load()
	for name, token := range map[string]string{"empty": "", "words": "refresh", "an access token": session.AccessToken,
		"of another generation": b.tokens.MintRefresh(session.Principal.SignInID, 2)[:28] + session.RefreshToken[28:],
		"10 MB":                 strings.Repeat("A", 10<<20)} {
		_, err := b.Renew(t.Context(), holding(token))
		wantKind(t, "renewing with "+name, err, fault.Unauthorized)
		if err := b.SignOut(t.Context(), token, nil, home); err != nil {
			t.Errorf("signing out with %s: %v", name, err)
		}
	}
	for name, token := range map[string]string{"empty": "", "words": "Bearer", "a refresh token": session.RefreshToken,
		"altered": session.AccessToken[:len(session.AccessToken)-2] + "AA", "10 MB": strings.Repeat("A", 10<<20)} {
		_, _, err := b.Authenticate(t.Context(), token, uuid.Nil, home)
		wantKind(t, "access by "+name, err, fault.Unauthorized)
	}
	if got := b.statements.Load() - before; got != 0 {
		t.Errorf("malformed tokens took %d statements", got)
	}
	if !b.authentic(t, session.AccessToken) {
		t.Error("a malformed token ended the sign-in")
	}
}

// TestAuthenticate checks that access tokens expire by the database's clock, whatever the clock of
// the replica.
func TestAuthenticate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	at := func(d time.Duration) string {
		token, _ := b.tokens.IssueAccess(p.UserID, p.SignInID, time.Now().Add(d))
		return token
	}
	other, err := b.SignUp(t.Context(), identity.SignUpInput{Email: "b@example.com", Password: password, Name: "Other"}, home)
	if err != nil {
		t.Fatal(err)
	}
	foreign, _ := b.tokens.IssueAccess(other.Principal.UserID, p.SignInID, time.Now())
	unknown, _ := b.tokens.IssueAccess(p.UserID, uuid.New(), time.Now())
	for name, c := range map[string]struct {
		token string
		want  bool
	}{
		"its own": {session.AccessToken, true}, "14 minutes old": {at(-14 * time.Minute), true},
		"16 minutes old": {at(-16 * time.Minute), false}, "issued in the future": {at(10 * time.Minute), false},
		"another user's sign-in": {foreign, false}, "an unknown sign-in": {unknown, false},
	} {
		if got := b.authentic(t, c.token); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	before := b.statements.Load()
	if _, _, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home); err != nil || b.statements.Load() != before+1 {
		t.Errorf("%v in %d statements, want 1", err, b.statements.Load()-before)
	}
	storetest.SetAccountState(t, b.store, p.AccountID, account.Suspended)
	if _, seen, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home); err != nil || seen.State != account.Suspended {
		t.Errorf("of a suspended account: %+v %v", seen, err)
	}
	_, err = b.SignedIn(t.Context(), p)
	wantKind(t, "a stream of a suspended account", err, fault.Unauthorized)
	storetest.SetAccountState(t, b.store, p.AccountID, account.Active)
	b.exec(t, `DELETE FROM sign_ins WHERE user_id = $1`, p.UserID)
	if b.authentic(t, session.AccessToken) {
		t.Error("a deleted sign-in gives access")
	}
}

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
	left := func() (n int) {
		err := b.store.SQL().QueryRow(`SELECT (SELECT count(*) FROM sign_ins) + (SELECT count(*) FROM throttles)`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
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

// TestANewSignInReplacesTheBrowsers checks that a new sign-in or sign-up, of any user, ends the
// sign-in of the browser's refresh token on every replica. A refused one ends no sign-in, and
// neither does an unknown token.
func TestANewSignInReplacesTheBrowsers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	with := func(token string) identity.Client { c := home; c.RefreshToken = token; return c }
	first, other := b.signUp(t), b.signIn(t, home)
	_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "wrong password"}, with(first.RefreshToken))
	wantKind(t, "a wrong password", err, fault.InvalidCredentials)
	_, err = b.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Ada"}, with(first.RefreshToken))
	wantKind(t, "a known address", err, fault.Conflict)
	b.signIn(t, with(first.RefreshToken+"x"))
	if !b.authentic(t, first.AccessToken) {
		t.Error("a refused sign-in, or an unknown token, ended the browser's sign-in")
	}
	renewed, err := b.Renew(t.Context(), holding(first.RefreshToken))
	if err != nil {
		t.Fatal(err)
	}
	second := b.signIn(t, with(renewed.RefreshToken))
	if b.authentic(t, first.AccessToken) || b.authentic(t, renewed.AccessToken) {
		t.Error("the earlier sign-in of the browser is alive")
	}
	_, err = b.second.Renew(t.Context(), holding(renewed.RefreshToken))
	wantKind(t, "renewing the earlier one", err, fault.Unauthorized)
	third, err := b.SignUp(t.Context(), identity.SignUpInput{Email: "grace@example.com", Password: password, Name: "Grace"},
		with(second.RefreshToken))
	if err != nil || b.authentic(t, second.AccessToken) {
		t.Errorf("signing up as another user: %v, and the earlier one is alive: %v", err, b.authentic(t, second.AccessToken))
	}
	if !b.authentic(t, third.AccessToken) || !b.authentic(t, other.AccessToken) {
		t.Error("more than the browser's sign-in ended")
	}
}
