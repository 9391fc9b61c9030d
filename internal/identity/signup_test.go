package identity_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/operator"
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
	p, a, err := b.second.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
	if err != nil || a != session.Account || p.AccountID != a.ID || p.SignInID != session.Principal.SignInID || !p.Reauthenticated {
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

// An address typed in another form is the same user; one that only looks like it opens nothing.
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
		before := b.statements.Load()
		_, err := b.SignUp(t.Context(), c.in, home)
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Kind != fault.InvalidInput {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, field := range f.Fields {
			got = append(got, field.Path+" "+string(field.Reason))
		}
		if !slices.Equal(got, c.want) || b.statements.Load() != before {
			t.Errorf("%s: fields %v, want %v; %d statements", name, got, c.want, b.statements.Load()-before)
		}
	}
	closed := newBench(t, func(c *identity.Config) { c.SignUpOpen = func() bool { return false } })
	_, err := closed.SignUp(t.Context(), identity.SignUpInput{}, home)
	wantKind(t, "a closed sign-up", err, fault.SignUpClosed)
	if _, err := operator.On(closed.store).AccountByEmail(t.Context(), email); !fault.Is(err, fault.NotFound) {
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
