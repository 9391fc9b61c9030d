package graph_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/mail"
	"agentchat/internal/store/audit"
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

func TestSignUpByMail(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	known := signedIn(t, b)
	up := func(email string) answer {
		return b.do(t, call{query: `mutation($input: SignUpInput!) { signUp(input: $input) { accessToken
			expiresAt account { id } mailSent } }`,
			vars: vars{"input": vars{"email": email, "password": password, "name": "Grace"}}})
	}
	unknown := up("grace@example.com")
	unknown.wantValues(t, "an unknown address", map[string]any{"signUp.accessToken": nil,
		"signUp.expiresAt": nil, "signUp.account": nil,
		"signUp.mailSent": true})
	if again := up(known.account.Email); again.anonymous() != unknown.anonymous() ||
		len(again.cookies)+len(unknown.cookies) > 0 {
		t.Errorf("a known address is distinguishable: %s %s", again.body, unknown.body)
	}
	token := b.handOver(t, notifications.SignUpLink, "grace@example.com")
	open := func(password any, access string) answer {
		return b.do(t, call{query: verifyEmail, vars: vars{"input": vars{"token": token, "password": password}}, token: access})
	}
	open(password, "x.y.z").want(t, "a stale access token", http.StatusUnauthorized, "UNAUTHENTICATED")
	open("a wrong password", "").want(t, "a wrong password", http.StatusOK, "INVALID_CREDENTIALS")
	if a := open(password, "").wantNone(t, "the link and the password"); len(a.cookies) > 0 {
		t.Errorf("the link signs in: %v", a.cookies)
	}
	b.log.wantNoSecrets(t, token, password, "a wrong password", "grace@example.com")
}

func TestChangeEmail(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	u, other := signedIn(t, b), signedIn(t, b)
	change := func(input vars) answer { return u.do(t, changeEmail, vars{"input": input}) }
	change(vars{"newEmail": "x", "password": ""}).wantFields(t, "all bad", "newEmail invalid_value", "password missing")
	change(vars{"newEmail": "new@example.com", "password": "wrong password"}).want(t, "wrong",
		http.StatusOK, "INVALID_CREDENTIALS")
	change(vars{"newEmail": "New@Example.com", "password": password}).wantNone(t, "ask")
	u.do(t, myAddress, nil).wantValues(t, "asked for", map[string]any{"me.email": u.account.Email, "me.emailVerified": false})
	token := b.handOver(t, notifications.ChangeAddress, "new@example.com")
	input := vars{"input": vars{"token": token}}
	b.do(t, call{query: verifyEmail, vars: input}).want(t, "anonymously", http.StatusOK, "UNAUTHENTICATED")
	b.do(t, call{query: verifyEmail, vars: input, token: "x.y.z"}).want(t, "with a stale token",
		http.StatusUnauthorized, "UNAUTHENTICATED")
	other.do(t, verifyEmail, input).want(t, "as somebody else", http.StatusOK, "CONFLICT")
	u.do(t, verifyEmail, input).wantNone(t, "signed in")
	u.do(t, myAddress, nil).wantValues(t, "changed", map[string]any{"me.email": "new@example.com", "me.emailVerified": true})
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
	u.do(t, verifyEmail, vars{"input": vars{"token": b.handOver(t, notifications.VerifyAddress,
		u.account.Email)}}).wantNone(t, "verify")
	u.do(t, myAddress, nil).wantValues(t, "verified", map[string]any{"me.emailVerified": true})
	u.do(t, request, nil).wantNone(t, "once more, to no effect")
	unmailed := signedIn(t, newBench(t))
	unmailed.do(t, request, nil).wantFields(t, "without mail", "email not_supported")
}

// The first user who verifies an address sees which other access to the account exists.
func TestResetPasswordTellsWhatWasLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	u.world(t)
	reset := func() answer {
		text, hash := mail.NewToken()
		if err := users.On(b.store).ResetByHand(t.Context(), u.account.Email, hash, audit.Entry{
			Actor: audit.ByOperator}); err != nil {
			t.Fatal(err)
		}
		defer b.log.wantNoSecrets(t, text, password, u.account.Email)
		return b.do(t, call{query: `mutation($input: ResetPasswordInput!) { resetPassword(input: $input) {
			ok leftBehind { members keys { exportName hint createdAt } } } }`,
			vars: vars{"input": vars{"token": text, "newPassword": password}}}).wantNone(t, "reset")
	}
	if first := reset(); first.list("resetPassword.leftBehind.keys") != 3 ||
		first.list("resetPassword.leftBehind.members") != 1 {
		t.Errorf("the first one: %s", first.body)
	}
	reset().wantValues(t, "of a proved address", map[string]any{"resetPassword.leftBehind": nil})
}
