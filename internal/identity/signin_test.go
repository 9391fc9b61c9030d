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
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

func TestSignUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session, err := b.SignUp(t.Context(), identity.SignUpInput{Email: " Ada@Example.com ", Password: password, Name: " Ada "}, home)
	if err != nil {
		t.Fatal(err)
	}
	if a := session.Account; a.Name != "Ada" || a.CreditBalance != 20 || a.State != account.Active {
		t.Errorf("account %+v", a)
	}
	p, a, err := b.second.Authenticate(t.Context(), session.AccessToken)
	if err != nil || a != session.Account || p.AccountID != a.ID || p.SignInID != session.Principal.SignInID || !p.Confirmed {
		t.Errorf("the new account's access: %+v %+v %v", p, a, err)
	}
	if d := time.Until(session.ExpiresAt); d > 15*time.Minute+30*time.Second || d < 14*time.Minute {
		t.Errorf("access for %v", d)
	}
	if d := time.Until(session.RefreshExpiresAt); d > 7*24*time.Hour+time.Minute || d < 7*24*time.Hour-time.Hour {
		t.Errorf("to be renewed within %v", d)
	}
	_, err = b.second.SignUp(t.Context(), identity.SignUpInput{Email: "ADA@example.com", Password: "a quite different password", Name: "Other"}, home)
	wantKind(t, "a known address", err, fault.Conflict)
	b.signIn(t, home)
	storetest.Audit(t, b.store)
}

// An address has one form: whoever types it otherwise is the same user, and what only looks like it opens nothing.
func TestFormsOfAnAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	signUp := func(email string) error {
		_, err := b.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Ada"}, home)
		return err
	}
	if err := signUp("Jose\u0301@Bu\u0308cher.example"); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"josé@bücher.example", "JOSÉ@xn--bcher-kva.example"} {
		if _, err := b.second.SignIn(t.Context(), identity.SignInInput{Email: form, Password: password}, home); err != nil {
			t.Errorf("signing in as %q: %v", form, err)
		}
		wantKind(t, "signing up as "+form, signUp(form), fault.Conflict)
	}
	wantKind(t, "a Cyrillic o", signUp("j\u043esé@bücher.example"), fault.InvalidInput)
	_, err := b.SignIn(t.Context(), identity.SignInInput{Email: "j\u043esé@bücher.example", Password: password}, home)
	wantKind(t, "signing in with it", err, fault.InvalidInput)
}

func TestSignUpRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, c := range map[string]struct {
		in   identity.SignUpInput
		want []string
	}{
		"all wrong": {identity.SignUpInput{}, []string{"email missing", "password too_short", "name blank"}},
		"two wrong": {identity.SignUpInput{Email: "a", Password: password, Name: strings.Repeat("x", 101)},
			[]string{"email invalid_value", "name too_long"}},
		"long password": {identity.SignUpInput{Email: email, Password: strings.Repeat("x", 257), Name: "Ada"},
			[]string{"password too_long"}},
	} {
		before := b.statements.n.Load()
		_, err := b.SignUp(t.Context(), c.in, home)
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Kind != fault.InvalidInput {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, field := range f.Fields {
			got = append(got, field.Path+" "+string(field.Reason))
		}
		if !slices.Equal(got, c.want) || b.statements.n.Load() != before {
			t.Errorf("%s: fields %v, want %v; %d statements", name, got, c.want, b.statements.n.Load()-before)
		}
	}
	closed := newBench(t, func(c *identity.Config) { c.SignUpOpen = func() bool { return false } })
	_, err := closed.SignUp(t.Context(), identity.SignUpInput{}, home)
	wantKind(t, "a closed sign-up", err, fault.SignUpClosed)
	if _, err := closed.store.AccountByEmail(t.Context(), email); !fault.Is(err, fault.NotFound) {
		t.Errorf("a closed sign-up opened an account: %v", err)
	}
}

func TestSignUpsPerClientAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// A known address counts too, and ten attempts come from one network by different texts of its addresses.
	try := func(c identity.Client, i int) error {
		service := []*identity.Service{b.Service, b.second}[i%2]
		_, err := service.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Ada"}, c)
		if i > 0 && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.RateLimited) {
			t.Errorf("attempt %d: %v", i, err)
		}
		return err
	}
	for i := range identity.MaxSignUps {
		if err := try(client(fmt.Sprintf("2001:db8:1:2:%x::%d", i, i)), i); fault.Is(err, fault.RateLimited) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	err := try(client("2001:db8:1:2:ffff::1"), 10)
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter <= 50*time.Minute || f.RetryAfter > time.Hour {
		t.Errorf("the eleventh: %+v", f)
	}
	for _, address := range []string{"2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"} {
		wantKind(t, "from "+address, try(client(address), 11), fault.Conflict)
	}
	b.exec(t, `UPDATE throttles SET hits = array_fill(clock_timestamp(), ARRAY[10])`)
	wantKind(t, "an IPv4 address written as IPv6", try(client("::ffff:192.0.2.1"), 12), fault.RateLimited)
	b.age(t, "1 hour")
	wantKind(t, "an hour later", try(client("2001:db8:1:2::1"), 13), fault.Conflict)
}

func TestSignInRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.signUp(t)
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
	b.exec(t, `UPDATE accounts SET state = 'SUSPENDED'`)
	_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
	wantKind(t, "a suspended account", err, fault.InvalidCredentials)
	if texts = append(texts, fault.ClientMessage(err)); len(slices.Compact(texts)) != 1 {
		t.Errorf("the answers can be told apart: %q", texts)
	}
	before := b.statements.n.Load()
	for name, in := range map[string]identity.SignInInput{"no address": {Password: password}, "no password": {Email: email},
		"not an address": {Email: "ada' OR 1=1 --", Password: password}} {
		_, err := b.SignIn(t.Context(), in, home)
		wantKind(t, name, err, fault.InvalidInput)
	}
	if got := b.statements.n.Load() - before; got != 0 {
		t.Errorf("bad input took %d statements", got)
	}
}

// The time of an answer tells nothing when the work is the same: statements, and memory, which is what a hash costs.
func TestRefusalsTakeTheSameWork(t *testing.T) { //nolint:paralleltest // counts the process's allocations
	b := newBench(t)
	b.signUp(t)
	// measure returns the statements and the password hashes of one call.
	measure := func(call func()) [2]int64 {
		var before, after runtime.MemStats
		statements := b.statements.n.Load()
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		return [2]int64{b.statements.n.Load() - statements, int64(after.TotalAlloc-before.TotalAlloc) / (19 << 20)}
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
	b.exec(t, `UPDATE accounts SET state = 'SUSPENDED'`)
	if got, want := measure(signIn(email, password)), [2]int64{3, 1}; got != want {
		t.Errorf("a suspended account takes %v, want %v", got, want)
	}
	b.exec(t, `UPDATE accounts SET state = 'ACTIVE'`)
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

// Two hundred guesses at one address from fifty addresses, at two replicas: ten are looked at, of a known address and of an
// unknown one alike.
func TestGuessesAreLimitedOverReplicas(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	for _, address := range []string{email, "nobody@example.com"} {
		var mu sync.Mutex
		kinds := map[fault.Kind]int{}
		var work sync.WaitGroup
		for i := range 50 {
			work.Go(func() {
				service := []*identity.Service{b.Service, b.second}[i%2]
				for j := range 4 {
					_, err := service.SignIn(t.Context(), identity.SignInInput{Email: address, Password: fmt.Sprintf("guess %d %d", i, j)},
						client(fmt.Sprintf("192.0.2.%d", i)))
					mu.Lock()
					kinds[fault.KindOf(err)]++
					mu.Unlock()
				}
			})
		}
		work.Wait()
		if kinds[fault.InvalidCredentials] != identity.MaxGuesses || kinds[fault.RateLimited] != 200-identity.MaxGuesses {
			t.Errorf("%s: %v", address, kinds)
		}
	}
	right := identity.SignInInput{Email: email, Password: password}
	_, err := b.SignIn(t.Context(), right, home)
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter <= 0 || f.RetryAfter > identity.GuessWindow {
		t.Errorf("the right password from an unknown browser: %+v", f)
	}
	stranger := b.tokens.MintKnownBrowser(uuid.New())
	_, err = b.SignIn(t.Context(), right, client("192.0.2.1", stranger))
	wantKind(t, "with another account's mark", err, fault.RateLimited)
	if _, err := b.second.SignIn(t.Context(), right, client("198.51.100.1", session.KnownBrowser)); err != nil {
		t.Errorf("the owner from a known browser: %v", err)
	}
	b.age(t, "15 minutes")
	if _, err := b.SignIn(t.Context(), right, home); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
}

func TestKnownBrowsersAreLimitedToo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	known := client("192.0.2.1", b.signUp(t).KnownBrowser)
	for range identity.MaxGuesses {
		_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "wrong password"}, known)
		wantKind(t, "a guess", err, fault.InvalidCredentials)
	}
	_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, known)
	wantKind(t, "one guess more", err, fault.RateLimited)
	b.signIn(t, home)
}

func TestRightPasswordsAreNotCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.signUp(t)
	for range identity.MaxGuesses - 1 {
		_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "wrong password"}, home)
		wantKind(t, "a guess", err, fault.InvalidCredentials)
	}
	for range 3 {
		b.signIn(t, home)
	}
}

func TestSignInsTellTheirBrowser(t *testing.T) {
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
		if got := listed[0]; got.Browser != c.browser || got.Address != c.text || !got.Current || got.ID != session.Principal.SignInID {
			t.Errorf("%q at %q is listed as %+v", c.agent, c.address, got)
		}
		last := listed[len(listed)-1]
		if last.ID != first.Principal.SignInID || last.Current || last.LastUsedAt.IsZero() || last.CreatedAt.IsZero() {
			t.Errorf("the first is listed as %+v", last)
		}
	}
}

func TestLeavingClientsAndAnAbsentDatabase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func(ctx context.Context) error{
		"signUp": func(ctx context.Context) error {
			_, err := b.SignUp(ctx, identity.SignUpInput{Email: "b@example.com", Password: password, Name: "Ada"}, home)
			return err
		},
		"signIn": func(ctx context.Context) error {
			_, err := b.SignIn(ctx, identity.SignInInput{Email: email, Password: password}, home)
			return err
		},
		"renew":        func(ctx context.Context) error { _, err := b.Renew(ctx, session.RefreshToken); return err },
		"authenticate": func(ctx context.Context) error { _, _, err := b.Authenticate(ctx, session.AccessToken); return err },
		"signOut":      func(ctx context.Context) error { return b.SignOut(ctx, session.RefreshToken, nil) },
		"signOut by access": func(ctx context.Context) error {
			return b.SignOut(ctx, "", &session.Principal)
		},
		"signOutEverywhere": func(ctx context.Context) error { return b.SignOutEverywhere(ctx, session.Principal) },
		"signIns":           func(ctx context.Context) error { _, err := b.SignIns(ctx, session.Principal); return err },
		"endSignIn": func(ctx context.Context) error {
			return b.EndSignIn(ctx, session.Principal, session.Principal.SignInID)
		},
		"confirmPassword": func(ctx context.Context) error { return b.ConfirmPassword(ctx, session.Principal, password) },
		"changePassword": func(ctx context.Context) error {
			_, err := b.ChangePassword(ctx, session.Principal, password, "a quite different password")
			return err
		},
		"purge": b.Purge,
	}
	for name, call := range calls {
		wantKind(t, name+" of a client that left", call(ended), fault.Unavailable)
	}
	if !b.authentic(t, session.AccessToken) {
		t.Error("a call that failed ended the sign-in")
	}
	_ = b.store.Close()
	for name, call := range calls {
		err := call(t.Context())
		wantKind(t, name+" without a database", err, fault.Unavailable)
		if text := fault.ClientMessage(err); strings.Contains(text, "sql") {
			t.Errorf("%s: the client reads %q", name, text)
		}
	}
}
