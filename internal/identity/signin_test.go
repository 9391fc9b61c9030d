package identity_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

// TestSignInRefusals also checks that bad input and other tokens are refused without a statement.
func TestSignInRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	var texts []string
	for name, in := range map[string]identity.SignInInput{
		"a wrong password":       {Email: email, Password: "wrong password"},
		"another case":           {Email: email, Password: strings.ToUpper(password)},
		"an unknown address":     {Email: "nobody@example.com", Password: password},
		"a very long password":   {Email: email, Password: strings.Repeat("x", 1<<16)},
		"the password and a nul": {Email: email, Password: password + "\x00"},
	} {
		_, err := b.SignIn(t.Context(), in, home)
		wantKind(t, name, err, fault.InvalidCredentials)
		texts = append(texts, fault.ClientMessage(err))
	}
	if len(slices.Compact(texts)) != 1 {
		t.Errorf("the responses differ: %q", texts)
	}
	before := b.statements.Load()
	for name, in := range map[string]identity.SignInInput{"no address": {Password: password}, "no password": {Email: email},
		"not an address": {Email: "ada' OR 1=1 --", Password: password}} {
		_, err := b.SignIn(t.Context(), in, home)
		wantKind(t, name, err, fault.InvalidInput)
	}
	_, err := b.Renew(t.Context(), holding(session.AccessToken))
	wantKind(t, "renewing with an access token", err, fault.Unauthorized)
	_, _, err = b.Authenticate(t.Context(), session.RefreshToken, uuid.Nil, home)
	wantKind(t, "access by a refresh token", err, fault.Unauthorized)
	if err := b.SignOut(t.Context(), session.AccessToken, nil, home); err != nil {
		t.Errorf("signing out with an access token: %v", err)
	}
	if got := b.statements.Load() - before; got != 0 {
		t.Errorf("they took %d statements", got)
	}
}

// TestRefusalsTakeTheSameWork counts statements and allocated memory, from which follow the hashes:
// if both are the same for known and unknown addresses, the time of a response does not reveal
// whether an address has a user.
func TestRefusalsTakeTheSameWork(t *testing.T) { //nolint:paralleltest // counts the process's allocations
	b := newBench(t)
	b.signUp(t)
	// measure returns the statements and the password hashes of one call.
	measure := func(call func()) [2]int64 {
		var before, after runtime.MemStats
		statements := b.statements.Load()
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		return [2]int64{b.statements.Load() - statements, int64(after.TotalAlloc-before.TotalAlloc) / (19 << 20)}
	}
	signIn := func(address, secret string) func() {
		return func() {
			_, _ = b.SignIn(t.Context(), identity.SignInInput{Email: address, Password: secret}, home)
		}
	}
	if got, want := measure(signIn(email, "wrong password")), [2]int64{3, 1}; got != want {
		t.Errorf("a wrong password takes %v statements and hashes, want %v", got, want)
	}
	if got, want := measure(signIn("nobody@example.com", password)), [2]int64{3, 1}; got != want {
		t.Errorf("an unknown address takes %v, want %v", got, want)
	}
	b.exec(t, `UPDATE throttles SET hits = array_fill(clock_timestamp(), ARRAY[10])`)
	for _, address := range []string{email, "nobody@example.com"} {
		if got, want := measure(signIn(address, password)), [2]int64{4, 0}; got != want {
			t.Errorf("%s over the limit takes %v, want %v", address, got, want)
		}
	}
	for name, address := range map[string]string{"a new": "new@example.com", "a known": email} {
		got := measure(func() {
			_, _ = b.SignUp(t.Context(), identity.SignUpInput{Email: address, Password: password, Name: "Ada"}, client("192.0.2.9"))
		})
		if got[1] != 1 {
			t.Errorf("signing up with %s address takes %d hashes, want 1", name, got[1])
		}
	}
}

// TestGuessesAreLimited checks that ten wrong passwords for an address are checked, however many
// come at once from all networks and replicas, for known and unknown addresses. Right passwords do
// not count, and known browsers have ten of their own.
func TestGuessesAreLimited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	mark := b.signUp(t).KnownBrowser
	enter := func(s *identity.Service, address, password string, c identity.Client) error {
		_, err := s.SignIn(t.Context(), identity.SignInInput{Email: address, Password: password}, c)
		return err
	}
	b.signIn(t, home)
	for _, address := range []string{email, "nobody@example.com"} {
		var checked atomic.Int64
		var work sync.WaitGroup
		for i := range 3 * identity.MaxGuesses {
			work.Go(func() {
				service := []*identity.Service{b.Service, b.second}[i%2]
				err := enter(service, address, "wrong password", client(fmt.Sprintf("198.51.%d.1", i)))
				if fault.Is(err, fault.InvalidCredentials) {
					checked.Add(1)
				} else if !fault.Is(err, fault.RateLimited) {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if n := checked.Load(); n != identity.MaxGuesses {
			t.Errorf("%s: %d guesses were checked", address, n)
		}
	}
	err := enter(b.Service, email, password, home)
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter <= 0 || f.RetryAfter > identity.GuessWindow {
		t.Errorf("the right password from an unknown browser: %+v", f)
	}
	stranger := client("192.0.2.1", b.tokens.MintKnownBrowser(uuid.New()))
	err = enter(b.Service, email, password, stranger)
	wantKind(t, "with another user's mark", err, fault.RateLimited)
	known := client("198.51.100.1", mark)
	if err := enter(b.second, email, password, known); err != nil {
		t.Errorf("the owner from a known browser: %v", err)
	}
	for range identity.MaxGuesses {
		err := enter(b.Service, email, "wrong password", known)
		wantKind(t, "a guess of a known browser", err, fault.InvalidCredentials)
	}
	wantKind(t, "one more", enter(b.Service, email, password, known), fault.RateLimited)
	b.age(t, "15 minutes")
	if err := enter(b.Service, email, password, home); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
}

func TestSignInsRecordTheBrowser(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.signUp(t)
	for _, c := range []struct{ agent, address, browser, text string }{
		{"Browser\x00/1.0\r\n\t \x1b[31mred\u202e", "::ffff:198.51.100.7", "Browser/1.0 [31mred", "198.51.100.7"},
		{strings.Repeat("é", 300), "fe80::1%eth0", strings.Repeat("é", 100), "fe80::1"},
		{"bad\xff\xfeutf-8", "2001:db8::1", "badutf-8", "2001:db8::1"},
		{"", "", "", ""},
	} {
		client := identity.Client{Browser: c.agent}
		if c.address != "" {
			client.Address = netip.MustParseAddr(c.address)
		}
		session := b.signIn(t, client)
		listed, err := b.second.SignIns(t.Context(), session.Principal)
		if err != nil {
			t.Fatal(err)
		}
		got, last := listed[0], listed[len(listed)-1]
		if got.Browser != c.browser || got.Address != c.text || !got.Current {
			t.Errorf("%q at %q is listed as %+v", c.agent, c.address, got)
		}
		if last.ID != first.Principal.SignInID || last.Current {
			t.Errorf("the first one is listed as %+v", last)
		}
	}
}

// TestClientLeavesOrDatabaseIsAway checks that neither looks like wrong credentials or an invalid
// token.
func TestClientLeavesOrDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func(ctx context.Context) error{
		"signUp": func(ctx context.Context) error {
			in := identity.SignUpInput{Email: grace, Password: password, Name: "Ada"}
			_, err := b.SignUp(ctx, in, home)
			return err
		},
		"signIn": func(ctx context.Context) error {
			_, err := b.SignIn(ctx, identity.SignInInput{Email: email, Password: password}, home)
			return err
		},
		"renew": func(ctx context.Context) error {
			_, err := b.Renew(ctx, holding(session.RefreshToken))
			return err
		},
		"authenticate": func(ctx context.Context) error {
			_, _, err := b.Authenticate(ctx, session.AccessToken, uuid.Nil, home)
			return err
		},
	}
	for name, call := range calls {
		wantKind(t, name+" of a client that left", call(ended), fault.Unavailable)
	}
	_ = b.store.Close()
	for name, call := range calls {
		wantKind(t, name+" without a database", call(t.Context()), fault.Unavailable)
	}
}

// TestWhatAUserDoesIsLimited checks that even right passwords do not cause unlimited audit entries,
// hashes and mails.
func TestWhatAUserDoesIsLimited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	d, id := b.setUp(t, session.Principal), session.Principal.UserID.String()
	with := func() identity.Reauthentication {
		b.fresh(t)
		return identity.Reauthentication{Password: password, Code: d.code(0)}
	}
	for _, c := range []struct {
		what, counted, by string
		limit             int
		do                func() error
	}{
		{"a sign-in", "signed in", email, identity.MaxSignIns, func() error { return b.enter(t, with().Code) }},
		{"a password", "password change", id, identity.MaxChanges, func() error {
			return b.ChangePassword(t.Context(), session.Principal, with(), password, home)
		}},
		{"recovery codes", "second factor", id, identity.MaxChanges, func() error {
			_, err := b.RenewRecoveryCodes(t.Context(), session.Principal, with(), home)
			return err
		}},
		{"a second factor", "second factor", id, identity.MaxChanges, func() error {
			return b.RemoveSecondFactor(t.Context(), session.Principal, with(), home)
		}},
	} {
		for range c.limit - 1 {
			if _, err := throttles.On(b.store).Throttle(t.Context(), b.tokens.ThrottleKey(c.counted, c.by), uuid.Nil, c.limit, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		if c.what != "a second factor" { // the codes have used the last one up
			if err := c.do(); err != nil {
				t.Errorf("the last of %s: %v", c.what, err)
			}
		}
		wantKind(t, c.what+" too many", c.do(), fault.RateLimited)
	}
	by := audit.Entry{Actor: audit.ByOperator, Action: "account unlock"}
	if err := users.On(b.store).Unlock(t.Context(), session.Principal.UserID, identity.GuessKeys(b.tokens, email), by); err != nil {
		t.Fatal(err)
	}
	if err := b.enter(t, with().Code); err != nil {
		t.Errorf("a sign-in after an unlock: %v", err)
	}
}
