package graph_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/mail"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// mailed configures a bench with mail, so that messages are queued.
func mailed(o *options) { o.identity.Mail, o.graph.Info.Mail = true, true }

const (
	verifyEmail = `mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { ok } }`
	changeEmail = `mutation($input: ChangeEmailInput!) { changeEmail(input: $input) { ok } }`
	undoEmail   = `mutation($token: String!) { undoEmailChange(input: {token: $token}) { ok } }`
	myAddress   = `{ me { email emailVerified } }`
)

// handOver returns a token for the link that was reserved last, as the mailer does.
func (b *bench) handOver(t *testing.T, purpose notifications.Mail, address string) string {
	t.Helper()
	m := notifications.Outgoing{Message: purpose, Address: address}
	row := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT id FROM outbox WHERE message = $1 AND address = $2 ORDER BY id DESC`,
		string(purpose), address)
	if err := row.Scan(&m.ID); err != nil {
		t.Fatal(err)
	}
	text, hash := mail.NewToken()
	if free, err := users.On(b.store).LinkForMail(t.Context(), m, hash); !free || err != nil {
		t.Fatal(free, err)
	}
	return text
}

// linkFor creates a link of the user and returns its token. A link that undoes a change changes the
// address first.
func (u *user) linkFor(t *testing.T, purpose notifications.Mail) string {
	t.Helper()
	before, err := users.On(u.b.store).User(t.Context(), u.account.OwnerID)
	if err != nil {
		t.Fatal(err)
	}
	link := users.Link{Purpose: purpose, UserID: before.ID, Email: before.Email}
	if purpose == notifications.UndoChange {
		link.Purpose, link.Email = notifications.ChangeAddress, uuid.NewString()+"@example.com"
	}
	if err := users.On(u.b.store).QueueLink(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	token := u.b.handOver(t, link.Purpose, link.Email)
	if purpose != notifications.UndoChange {
		return token
	}
	u.do(t, verifyEmail, vars{"input": vars{"token": token}}).wantNone(t, "change the address")
	return u.b.handOver(t, purpose, before.Email)
}

// TestSignUpByMail: the response has no access and does not reveal whether the address is known. The
// link does not sign in, and a stale access token next to it is refused.
func TestSignUpByMail(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	known := signedIn(t, b)
	up := func(email string) answer {
		a := b.do(t, call{query: `mutation($input: SignUpInput!) { signUp(input: $input) { accessToken
			expiresAt account { id } mailSent } }`,
			vars: vars{"input": vars{"email": email, "password": password, "name": "Grace"}}})
		a.wantJSON(t, email, "signUp",
			`{"accessToken": null, "expiresAt": null, "account": null, "mailSent": true}`)
		return a
	}
	unknown, again := up("grace@example.com"), up(known.account.Email)
	if again.anonymous() != unknown.anonymous() || len(again.cookies)+len(unknown.cookies) > 0 {
		t.Errorf("a known address is distinguishable: %s %s", again.body, unknown.body)
	}
	token := b.handOver(t, notifications.SignUpLink, "grace@example.com")
	open := call{query: verifyEmail, vars: vars{"input": vars{"token": token, "password": password}}}
	stale := open
	stale.token = "x.y.z"
	b.do(t, stale).want(t, "a stale access token", http.StatusUnauthorized, "UNAUTHENTICATED")
	if a := b.do(t, open).wantNone(t, "the link and the password"); len(a.cookies) > 0 {
		t.Errorf("the link signs in: %v", a.cookies)
	}
}

// TestChangeEmail: only the signed-in user can use the link, and everyone the one that undoes it.
func TestChangeEmail(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	u, other := signedIn(t, b), signedIn(t, b)
	u.do(t, changeEmail, vars{"input": vars{"newEmail": "x", "password": ""}}).
		wantFields(t, "both bad", "newEmail invalid_value", "password missing")
	change := vars{"input": vars{"newEmail": "New@Example.com", "password": password}}
	u.do(t, changeEmail, change).wantNone(t, "ask")
	token := b.handOver(t, notifications.ChangeAddress, "new@example.com")
	input := vars{"input": vars{"token": token}}
	b.do(t, call{query: verifyEmail, vars: input}).want(t, "anonymously", http.StatusOK, "UNAUTHENTICATED")
	other.do(t, verifyEmail, input).want(t, "as another user", http.StatusOK, "CONFLICT")
	u.do(t, verifyEmail, input).wantNone(t, "signed in")
	u.do(t, myAddress, nil).wantJSON(t, "changed", "me",
		`{"email": "new@example.com", "emailVerified": true}`)
	undo := b.handOver(t, notifications.UndoChange, u.account.Email)
	b.do(t, call{query: undoEmail, vars: vars{"token": undo}}).wantNone(t, "undo")
	u.do(t, myAddress, nil).want(t, "after an undo", http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestRequestEmailVerification(t *testing.T) {
	t.Parallel()
	const request = `mutation { requestEmailVerification { ok } }`
	b := newBench(t, mailed)
	u := signedIn(t, b)
	for range 3 {
		u.do(t, request, nil).wantNone(t, "ask")
	}
	u.do(t, request, nil).want(t, "a fourth mail", http.StatusOK, "RATE_LIMITED")
	token := b.handOver(t, notifications.VerifyAddress, u.account.Email)
	u.do(t, verifyEmail, vars{"input": vars{"token": token}}).wantNone(t, "verify")
	u.do(t, request, nil).wantNone(t, "once more, to no effect")
	unmailed := signedIn(t, newBench(t))
	unmailed.do(t, request, nil).wantFields(t, "without mail", "email not_supported")
}

// The first user who verifies an address sees which other access to the account exists.
func TestResetPasswordTellsWhatWasLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	u := signedIn(t, b)
	u.do(t, createExport, vars{"input": vars{"agentId": u.live(t)}}).wantNone(t, "a key")
	u.colleague(t)
	input := vars{"token": u.linkFor(t, notifications.PasswordReset), "newPassword": password}
	const left = "resetPassword.leftBehind."
	a := b.do(t, call{query: `mutation($input: ResetPasswordInput!) { resetPassword(input: $input) {
		leftBehind { members keys { exportName } } } }`, vars: vars{"input": input}})
	a.wantValues(t, "reset", map[string]any{left + "keys.0.exportName": "API export"})
	if a.list(left+"members") != 1 || len(a.cookies) > 0 {
		t.Errorf("members: %s, cookies: %v", a.body, a.cookies)
	}
}
