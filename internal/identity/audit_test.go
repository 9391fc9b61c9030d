package identity_test

import (
	"errors"
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

	wrong := identity.Reauthentication{Password: "wrong password"}
	err := b.ChangePassword(t.Context(), second.Principal, wrong, next, home)
	wantKind(t, "a wrong password", err, fault.InvalidCredentials)
	_, err = b.Renew(t.Context(), holding(fourth.RefreshToken))
	err = errors.Join(err,
		confirm(t.Context(), b.Service, second.Principal, password),
		b.EndSignIn(t.Context(), second.Principal, third.Principal.SignInID, known),
		b.SignOut(t.Context(), fourth.RefreshToken, &fourth.Principal, client("198.51.100.4")),
		b.ChangePassword(t.Context(), second.Principal, given, next, known),
		b.SignOutEverywhere(t.Context(), second.Principal, known))
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, "endSignIn 198.51.100.2", "signOut 198.51.100.4",
		"changePassword password 198.51.100.2", "signOutEverywhere 198.51.100.2")
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
		t.Error("the email address is in the trail")
	}
}

// TestFailedSignInsComeIntoTheTrail checks which attempts count as failed sign-ins of a user. The
// store tests when they are recorded.
func TestFailedSignInsComeIntoTheTrail(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	wantKind(t, "a wrong confirmation", confirm(t.Context(), b.Service, session.Principal, "wrong password"), fault.InvalidCredentials)
	for _, c := range []identity.Client{home, client("192.0.2.1", session.KnownBrowser)} {
		for want, address := range []string{"nobody@example.com", email} {
			b.exec(t, `UPDATE throttles SET user_id = NULL`)
			in := identity.SignInInput{Email: address, Password: "wrong password"}
			_, err := b.SignIn(t.Context(), in, c)
			wantKind(t, address, err, fault.InvalidCredentials)
			n := storetest.CountRows(t, b.store, `SELECT count(*) FROM throttles WHERE user_id IS NOT NULL`)
			if n != want {
				t.Errorf("%s: %d users with an attempt, want %d", address, n, want)
			}
		}
	}
	record := func(want int) {
		t.Helper()
		if err := b.RecordFailures(t.Context()); err != nil {
			t.Fatal(err)
		}
		const entries = `SELECT count(*) FROM audit_entries WHERE action = 'signInFailed'`
		if n := storetest.CountRows(t, b.store, entries); n != want {
			t.Errorf("%d entries, want %d", n, want)
		}
	}
	record(0) // the attempts may still be running
	b.age(t, "31 seconds")
	record(1)
}
