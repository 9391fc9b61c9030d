package identity_test

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"image/png"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// device is an authenticator app with the recovery codes.
type device struct {
	secret   []byte
	recovery []string
}

// code returns the code of a step, relative to the current one.
func (d device) code(steps int64) string { return auth.TOTP(d.secret, time.Now().Unix()/30+steps) }

// begin starts to set up a second factor.
func (b *bench) begin(t *testing.T, p auth.Principal) device {
	t.Helper()
	begun, err := b.StartSecondFactor(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(begun.Secret)
	if err != nil || len(secret) != 20 {
		t.Fatalf("the secret %q: %v", begun.Secret, err)
	}
	return device{secret: secret}
}

// setUp switches a second factor on. The current codes are valid again afterwards.
func (b *bench) setUp(t *testing.T, p auth.Principal) device {
	t.Helper()
	d := b.begin(t, p)
	var err error
	if d.recovery, err = b.ConfirmSecondFactor(t.Context(), p, d.code(0), home); err != nil {
		t.Fatal(err)
	}
	b.fresh(t)
	return d
}

// fresh makes the current codes valid again, as if time had passed.
func (b *bench) fresh(t *testing.T) {
	t.Helper()
	b.exec(t, `UPDATE users SET second_factor_step = 0`)
}

// enter signs in with the right password and a code.
func (b *bench) enter(t *testing.T, code string, c ...identity.Client) error {
	t.Helper()
	_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: code}, append(c, home)[0])
	return err
}

func TestSettingUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	_, err := b.ConfirmSecondFactor(t.Context(), p, "123456", home)
	wantKind(t, "confirming what never began", err, fault.Conflict)
	earlier := b.begin(t, p)
	begun, err := b.StartSecondFactor(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	uri, err := url.Parse(begun.URI)
	if err != nil || uri.Scheme != "otpauth" || uri.Host != "totp" || uri.Path != "/Agent Chat:"+email ||
		uri.Query().Get("secret") != begun.Secret || uri.Query().Get("issuer") != "Agent Chat" {
		t.Errorf("the address is %s: %v", begun.URI, err)
	}
	picture, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(begun.QRCode, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	if image, err := png.Decode(bytes.NewReader(picture)); err != nil || image.Bounds().Dx() < 200 {
		t.Errorf("the picture: %v", err)
	}
	secret, _ := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(begun.Secret)
	d := device{secret: secret}
	for name, code := range map[string]string{
		"of the secret before": earlier.code(0),
		"three steps off":      d.code(3),
		"none":                 "",
		"words":                "let me in",
	} {
		_, err = b.ConfirmSecondFactor(t.Context(), p, code, home)
		wantKind(t, "a code "+name, err, fault.InvalidCredentials)
	}
	if err := b.enter(t, ""); err != nil {
		t.Errorf("a code is required before the factor is on: %v", err)
	}
	code := d.code(0)
	d.recovery, err = b.second.ConfirmSecondFactor(t.Context(), p, code[:3]+" "+code[3:], home)
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`^([0-9a-f]{4}-){7}[0-9a-f]{4}$`)
	slices.Sort(d.recovery)
	if len(slices.Compact(slices.Clone(d.recovery))) != 10 || !shape.MatchString(d.recovery[0]) {
		t.Errorf("the recovery codes are %q", d.recovery)
	}
	wantKind(t, "the code that confirmed", b.enter(t, code), fault.SecondFactorRequired)
	for _, left := range append(d.recovery, begun.Secret, strings.ReplaceAll(d.recovery[0], "-", "")) {
		if found := storetest.Traces(t, b.store, left); len(found) > 0 || strings.Contains(b.log.String(), left) {
			t.Errorf("%.8q is in %v or the log", left, found)
		}
	}
}

// TestSigningInWithACode also checks that only a right password reveals that a second factor is on.
func TestSigningInWithACode(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.setUp(t, b.signUp(t).Principal)
	for _, code := range []string{"", d.code(0)} {
		_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "wrong password", Code: code}, home)
		wantKind(t, "a wrong password", err, fault.InvalidCredentials)
	}
	for range 3 * identity.MaxGuesses {
		wantKind(t, "no code", b.enter(t, ""), fault.SecondFactorRequired)
	}
	wantKind(t, "a wrong code", b.enter(t, "let me in"), fault.SecondFactorRequired)
	for steps := int64(-1); steps <= 1; {
		b.fresh(t)
		code := d.code(steps)
		err := b.enter(t, " "+code[:3]+" "+code[3:])
		if code != d.code(steps) { // a step has begun meanwhile
			continue
		}
		if err != nil {
			t.Errorf("%d steps off: %v", steps, err)
		}
		wantKind(t, "the code again", b.enter(t, code), fault.SecondFactorRequired)
		steps++
	}
	if err := b.enter(t, strings.ToUpper(strings.ReplaceAll(d.recovery[0], "-", " "))); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	wantKind(t, "the recovery code again", b.enter(t, d.recovery[0]), fault.SecondFactorRequired)
}

// TestReauthenticationWithAFactor checks that a code is enough, except for changes that cannot be
// undone: they also need the password.
func TestReauthenticationWithAFactor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	d := b.setUp(t, p)
	with := func(password, code string) identity.Reauthentication {
		return identity.Reauthentication{Password: password, Code: code}
	}
	_, err := b.Reauthenticate(t.Context(), p, with("", "000000"), home)
	wantKind(t, "a wrong code", err, fault.InvalidCredentials)
	b.exec(t, `UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
	if _, err := b.Reauthenticate(t.Context(), p, with("", d.code(0)), home); err != nil {
		t.Errorf("a code: %v", err)
	}
	if p, _, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home); err != nil || !p.Reauthenticated {
		t.Errorf("not confirmed: %v", err)
	}
	err = b.ChangePassword(t.Context(), p, with(password, d.recovery[1]), another, home)
	if err != nil {
		t.Errorf("changing the password: %v", err)
	}
	_, err = b.RenewRecoveryCodes(t.Context(), p, with(password, d.recovery[2]), home)
	wantKind(t, "renewing codes with a wrong password", err, fault.InvalidCredentials)
	renewed, err := b.RenewRecoveryCodes(t.Context(), p, with(another, d.recovery[2]), home)
	if err != nil || len(renewed) != 10 {
		t.Fatalf("%q %v", renewed, err)
	}
	remove := func(code string) error {
		return b.RemoveSecondFactor(t.Context(), p, with(another, code), home)
	}
	wantKind(t, "an old code", remove(d.recovery[3]), fault.InvalidCredentials)
	if err := remove(renewed[0]); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "removing it twice", remove(renewed[1]), fault.Conflict)
	want := []string{
		"signUp 192.0.2.1",
		"confirmSecondFactor secondFactor 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1",
		"changePassword password 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1",
		"renewRecoveryCodes recoveryCodes 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1",
		"removeSecondFactor secondFactor 192.0.2.1",
	}
	if got := b.events(t, p.UserID); !slices.Equal(got, want) {
		t.Errorf("the entries are\n%q, want\n%q", got, want)
	}
	if err := b.DeleteAccount(t.Context(), p, with(another, ""), home); err != nil {
		t.Errorf("deleting without a factor: %v", err)
	}
}

// TestReauthenticationRenewsTheRefreshToken checks that a refresh token stolen before is replaced,
// and that the token of another sign-in is not.
func TestReauthenticationRenewsTheRefreshToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session, other := b.signUp(t), b.signIn(t, home)
	for token, want := range map[string]bool{session.RefreshToken: true, other.RefreshToken: false} {
		renewed, err := b.Reauthenticate(t.Context(), session.Principal, given, holding(token))
		if err != nil || (renewed.RefreshToken != "") != want || renewed.RefreshToken == token {
			t.Errorf("%+v %v", renewed, err)
		}
	}
	b.exec(t, `UPDATE sign_ins SET rotated_at = rotated_at - interval '10 seconds'`)
	_, err := b.Renew(t.Context(), holding(session.RefreshToken))
	wantKind(t, "the earlier token", err, fault.Unauthorized)
	events := b.events(t, session.Principal.UserID)
	if got := events[len(events)-1]; got != "renewAccess usedTwice 192.0.2.1" {
		t.Errorf("the last entry is %q", got)
	}
}
