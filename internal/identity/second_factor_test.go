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
	"agentchat/internal/store/users"
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
	session := b.signUp(t)
	other := b.signIn(t, home)
	p := session.Principal
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
	for name, code := range map[string]string{"of the secret before": earlier.code(0), "three steps off": d.code(3), "none": "", "words": "let me in"} {
		_, err = b.ConfirmSecondFactor(t.Context(), p, code, home)
		wantKind(t, "a code "+name, err, fault.InvalidCredentials)
	}
	_, err = b.ConfirmSecondFactor(t.Context(), other.Principal, d.code(0), home)
	wantKind(t, "in another sign-in", err, fault.Conflict)
	forged := auth.Principal{UserID: p.AccountID, SignInID: p.SignInID}
	_, err = b.ConfirmSecondFactor(t.Context(), forged, d.code(0), home)
	wantKind(t, "by another user", err, fault.Conflict)
	if err := b.enter(t, ""); err != nil {
		t.Errorf("a code is required before the factor is on: %v", err)
	}
	code := d.code(0)
	d.recovery, err = b.second.ConfirmSecondFactor(t.Context(), p, code[:3]+" "+code[3:], home)
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`^([0-9a-f]{4}-){7}[0-9a-f]{4}$`)
	if slices.Sort(d.recovery); len(slices.Compact(slices.Clone(d.recovery))) != 10 || !shape.MatchString(d.recovery[0]) {
		t.Errorf("the recovery codes are %q", d.recovery)
	}
	if b.authentic(t, other.AccessToken) || !b.authentic(t, session.AccessToken) {
		t.Error("the wrong sign-ins ended")
	}
	wantKind(t, "the password alone", b.enter(t, ""), fault.SecondFactorRequired)
	wantKind(t, "the code that confirmed", b.enter(t, code), fault.SecondFactorRequired)
	_, err = b.StartSecondFactor(t.Context(), p)
	wantKind(t, "starting while one is on", err, fault.Conflict)
	if user, err := users.On(b.store).User(t.Context(), p.UserID); err != nil || !user.SecondFactor {
		t.Errorf("%+v %v", user, err)
	}
	for _, left := range append(d.recovery, begun.Secret, strings.ReplaceAll(d.recovery[0], "-", "")) {
		if found := storetest.Traces(t, b.store, left); len(found) > 0 || strings.Contains(b.log.String(), left) {
			t.Errorf("%.8q is in %v or the log", left, found)
		}
	}
}

// TestSettingUpTooLate checks that a second factor must be confirmed within ten minutes.
func TestSettingUpTooLate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	d := b.begin(t, p)
	b.exec(t, `UPDATE sign_ins SET pending_factor_at = pending_factor_at - interval '10 minutes'`)
	_, err := b.ConfirmSecondFactor(t.Context(), p, d.code(0), home)
	wantKind(t, "after ten minutes", err, fault.Conflict)
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
		steps++
	}
	if err := b.enter(t, strings.ToUpper(strings.ReplaceAll(d.recovery[0], "-", " "))); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	p := b.signInWith(t, d.recovery[1]).Principal
	if left, err := b.RecoveryCodesLeft(t.Context(), p); left != 8 || err != nil {
		t.Errorf("%d codes are left, %v", left, err)
	}
	events := b.events(t, p.UserID)
	want := []string{"confirmPassword recoveryCode 192.0.2.1", "signIn newBrowser 192.0.2.1"}
	if got := events[len(events)-2:]; !slices.Equal(got, want) {
		t.Errorf("the last entries are %q", got)
	}
}

func (b *bench) signInWith(t *testing.T, code string) identity.SignedIn {
	t.Helper()
	session, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: code}, home)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// TestReauthenticationWithAFactor checks that a code is enough, except for changes that cannot be
// undone: they also need the password.
func TestReauthenticationWithAFactor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	d := b.setUp(t, p)
	wantKind(t, "the password alone", confirm(t.Context(), b.Service, p, password), fault.SecondFactorRequired)
	with := func(code string) identity.Reauthentication {
		return identity.Reauthentication{Password: password, Code: code}
	}
	err := b.ChangePassword(t.Context(), p, with(""), password, home)
	wantKind(t, "changing the password by the password", err, fault.SecondFactorRequired)
	wantKind(t, "deleting by the password", b.DeleteAccount(t.Context(), p, with(""), home), fault.SecondFactorRequired)
	_, err = b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: "000000"}, home)
	wantKind(t, "a wrong code", err, fault.InvalidCredentials)
	b.exec(t, `UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
	if _, err := b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: d.code(0)}, home); err != nil {
		t.Errorf("a code: %v", err)
	}
	if p, _, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home); err != nil || !p.Reauthenticated {
		t.Errorf("not confirmed: %v", err)
	}
	if _, err := b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: d.recovery[0]}, home); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	if err = b.ChangePassword(t.Context(), p, with(d.recovery[1]), another, home); err != nil {
		t.Errorf("changing the password: %v", err)
	}
	_, err = b.RenewRecoveryCodes(t.Context(), p, identity.Reauthentication{Password: password, Code: d.recovery[2]}, home)
	wantKind(t, "renewing codes with a wrong password", err, fault.InvalidCredentials)
	anew, err := b.RenewRecoveryCodes(t.Context(), p, identity.Reauthentication{Password: another, Code: d.recovery[2]}, home)
	if err != nil || len(anew) != 10 {
		t.Fatalf("%q %v", anew, err)
	}
	wantKind(t, "an old code", b.RemoveSecondFactor(t.Context(), p, identity.Reauthentication{Password: another, Code: d.recovery[3]}, home),
		fault.InvalidCredentials)
	if err := b.RemoveSecondFactor(t.Context(), p, identity.Reauthentication{Password: another, Code: anew[0]}, home); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "removing it twice", b.RemoveSecondFactor(t.Context(), p, identity.Reauthentication{Password: another, Code: anew[1]}, home),
		fault.Conflict)
	want := []string{"signUp 192.0.2.1", "confirmSecondFactor secondFactor 192.0.2.1", "confirmPassword recoveryCode 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1", "changePassword password 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1", "renewRecoveryCodes recoveryCodes 192.0.2.1",
		"confirmPassword recoveryCode 192.0.2.1", "removeSecondFactor secondFactor 192.0.2.1"}
	if got := b.events(t, p.UserID); !slices.Equal(got, want) {
		t.Errorf("the entries are\n%q, want\n%q", got, want)
	}
	if err := b.DeleteAccount(t.Context(), p, identity.Reauthentication{Password: another}, home); err != nil {
		t.Errorf("deleting without a factor: %v", err)
	}
}

// TestReauthenticationRenewsTheRefreshToken checks that a refresh token stolen before ends the
// sign-in when it is used.
func TestReauthenticationRenewsTheRefreshToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	other := b.signIn(t, home)
	renewed, err := b.Reauthenticate(t.Context(), session.Principal, identity.Reauthentication{Password: password}, holding(session.RefreshToken))
	if err != nil || renewed.RefreshToken == "" || renewed.RefreshToken == session.RefreshToken {
		t.Fatalf("%+v %v", renewed, err)
	}
	foreign, err := b.Reauthenticate(t.Context(), session.Principal, identity.Reauthentication{Password: password}, holding(other.RefreshToken))
	if err != nil || foreign.RefreshToken != "" {
		t.Errorf("the token of another sign-in: %+v %v", foreign, err)
	}
	b.exec(t, `UPDATE sign_ins SET rotated_at = rotated_at - interval '10 seconds'`)
	_, err = b.Renew(t.Context(), holding(session.RefreshToken))
	wantKind(t, "the earlier token", err, fault.Unauthorized)
	if b.authentic(t, renewed.AccessToken) || !b.authentic(t, other.AccessToken) {
		t.Error("the wrong sign-in ended")
	}
	events := b.events(t, session.Principal.UserID)
	if got := events[len(events)-1]; got != "renewAccess usedTwice 192.0.2.1" {
		t.Errorf("the last entry is %q", got)
	}
}
