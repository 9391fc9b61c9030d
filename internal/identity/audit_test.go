package identity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
)

// events returns the audit entries of a user, the oldest first, each as action, fields and address.
func (b *bench) events(t *testing.T, userID uuid.UUID) (out []string) {
	t.Helper()
	page, err := audit.On(b.store).EventPage(t.Context(), userID, audit.Query{First: store.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range slices.Backward(page.Items) {
		out = append(out, strings.Join(append([]string{e.Action}, append(e.Fields, e.Address)...), " "))
	}
	return out
}

// TestTheTrailOfASignIn checks that each change of sign-ins or the password adds one audit entry
// and one log line with the client's address. A failed one adds neither. No column and no log line
// contains a secret.
func TestTheTrailOfASignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const next = "tr0ub4dor and three"
	first := b.signUp(t)
	me := first.Principal
	known := client("198.51.100.2", first.KnownBrowser)
	known.RefreshToken = first.RefreshToken // the replaced sign-in ends without an entry
	second := b.signIn(t, known)
	third, fourth := b.signIn(t, client("198.51.100.3")), b.signIn(t, client("198.51.100.4"))
	want := []string{"signUp 192.0.2.1", "signIn 198.51.100.2", "signIn newBrowser 198.51.100.3", "signIn newBrowser 198.51.100.4"}

	err := b.ChangePassword(t.Context(), second.Principal, identity.Reauthentication{Password: "wrong password"}, next, home)
	wantKind(t, "a wrong password", err, fault.InvalidCredentials)
	wantKind(t, "a random sign-in", b.EndSignIn(t.Context(), second.Principal, uuid.New(), home), fault.NotFound)
	_, err = b.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Ada"}, home)
	wantKind(t, "a known address", err, fault.Conflict)
	if err := confirm(t.Context(), b.Service, second.Principal, password); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Renew(t.Context(), holding(fourth.RefreshToken)); err != nil {
		t.Fatal(err)
	}

	if err := b.EndSignIn(t.Context(), second.Principal, third.Principal.SignInID, known); err != nil {
		t.Fatal(err)
	}
	if err := b.SignOut(t.Context(), fourth.RefreshToken, &fourth.Principal, client("198.51.100.4")); err != nil {
		t.Fatal(err)
	}
	if err := b.ChangePassword(t.Context(), second.Principal, identity.Reauthentication{Password: password}, next, known); err != nil {
		t.Fatal(err)
	}
	if err := b.SignOutEverywhere(t.Context(), second.Principal, known); err != nil {
		t.Fatal(err)
	}
	want = append(want, "endSignIn 198.51.100.2", "signOut 198.51.100.4", "changePassword password 198.51.100.2",
		"signOutEverywhere 198.51.100.2")
	if got := b.events(t, me.UserID); !slices.Equal(got, want) {
		t.Errorf("the entries are\n%q, want\n%q", got, want)
	}
	log := b.log.String()
	if n := strings.Count(log, "msg=audit"); n != len(want) {
		t.Errorf("%d lines for %d entries: %s", n, len(want), log)
	}
	for _, secret := range []string{password, next, first.AccessToken, first.RefreshToken, first.KnownBrowser, second.RefreshToken,
		fourth.AccessToken} {
		if strings.Contains(log, secret) {
			t.Errorf("%.12q is in the log", secret)
		}
		if left := storetest.Traces(t, b.store, secret); len(left) > 0 {
			t.Errorf("%.12q is in %v", secret, left)
		}
	}
	if strings.Contains(log, email) || storetest.Traces(t, b.store, email)["audit_entries"] > 0 {
		t.Error("the e-mail address is in the trail")
	}
}

// TestFailedSignInsComeIntoTheTrail checks that only known addresses get an entry, one per hour for
// all browsers, and only after the attempt has certainly ended.
func TestFailedSignInsComeIntoTheTrail(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	known := client("192.0.2.1", session.KnownBrowser)
	for _, c := range []identity.Client{home, known} {
		_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "wrong password"}, c)
		wantKind(t, "a wrong password", err, fault.InvalidCredentials)
		_, err = b.SignIn(t.Context(), identity.SignInInput{Email: "nobody@example.com", Password: "wrong password"}, c)
		wantKind(t, "an unknown address", err, fault.InvalidCredentials)
	}
	b.signIn(t, home)
	wantKind(t, "a wrong confirmation", confirm(t.Context(), b.Service, session.Principal, "wrong password"), fault.InvalidCredentials)
	record := func(want int) {
		t.Helper()
		for _, s := range []*identity.Service{b.Service, b.second} {
			if err := s.RecordFailures(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var n int
		const count = `SELECT count(*) FROM audit_entries WHERE action = 'signInFailed'`
		if err := b.store.SQL().QueryRowContext(t.Context(), count).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != want {
			t.Errorf("%d entries, want %d", n, want)
		}
	}
	record(0) // they may still be running
	b.exec(t, `UPDATE throttles SET hits = array_fill(
		least(clock_timestamp() - interval '31 seconds', date_trunc('hour', clock_timestamp())), ARRAY[cardinality(hits)]) WHERE hits <> '{}'`)
	record(1)
	if got := b.events(t, session.Principal.UserID); len(got) != 3 || !slices.Contains(got, "signInFailed ") {
		t.Errorf("the entries are %q", got)
	}
}
