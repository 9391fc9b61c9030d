package identity_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// invite invites an address into the account of a sign-in, and returns the token that is shown.
func (p *post) invite(t *testing.T, in identity.SignedIn, address string) (account.Invitation, string) {
	t.Helper()
	shown := uuid.NewString()
	invited, err := p.Invite(t.Context(), in.Principal, address, account.Editor, sha256.Sum256([]byte(shown)))
	if err != nil {
		t.Fatal(err)
	}
	return invited, shown
}

func (b *bench) joinAsNew(t *testing.T, token string) error {
	t.Helper()
	_, err := b.AcceptInvitation(t.Context(), nil, identity.AcceptInput{Token: token, Name: "Grace", Password: password}, home)
	return err
}

// TestAnInvitationByMail checks that the mail names the inviting user and the role, turns no name
// into a link or a header, and has its own token, whose 7 days begin when the mail is sent. A
// renewal replaces it.
func TestAnInvitationByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.server.Answer(func(mailtest.Message) error { return mailtest.Refuse(451, "Not now") })
	owner := p.signIn(t, home)
	p.exec(t, `UPDATE accounts SET name = $1`, "Evil\r\nBcc: x@evil.example <b>https://evil.example</b>")
	invited, shown := p.invite(t, owner, grace)
	p.all(t) // the first try has failed
	p.exec(t, `UPDATE links SET expires_at = clock_timestamp() WHERE outbox_id IS NULL`)
	p.exec(t, `UPDATE invitations SET expires_at = clock_timestamp() + interval '1 hour'`)
	p.server.Answer(nil)
	p.exec(t, `UPDATE outbox SET due = clock_timestamp(), error = NULL WHERE due IS NOT NULL`)
	m := p.last(t, grace)
	if m.Header.Get("Subject") != "An invitation to Agent Chat" || m.Header.Get("Bcc") != "" || len(m.Token()) != 43 || m.Token() == shown ||
		!strings.Contains(m.Text, "https://chat.example.com/invitation#token=") || !strings.Contains(m.Text, "as its editor") {
		t.Errorf("the letter: %s", m.Text)
	}
	for _, bad := range []string{"evil.example", "ada@example", "<b>"} {
		if strings.Contains(m.HTML, bad) || strings.Contains(m.Text, bad) && bad != "<b>" {
			t.Errorf("%s is in the letter: %s", bad, m.Text)
		}
	}
	open, err := accounts.On(p.store).Invitations(t.Context(), owner.Principal.AccountID)
	if err != nil || len(open) != 1 || open[0].ExpiresAt.Before(time.Now().Add(6*24*time.Hour)) {
		t.Errorf("the invitation: %+v %v", open, err)
	}
	if found, err := p.Invitation(t.Context(), shown); found != nil || err != nil {
		t.Errorf("the shown link works after its time: %+v %v", found, err)
	}
	if _, err := p.RenewInvitation(t.Context(), owner.Principal, invited.ID, sha256.Sum256([]byte("newer"))); err != nil {
		t.Fatal(err)
	}
	newer := p.last(t, grace).Token()
	if f, ok := errors.AsType[*fault.Error](p.joinAsNew(t, m.Token())); !ok || f.Kind != fault.InvalidInput || f.Fields[0].Path != "token" {
		t.Errorf("the mail before: %v", f)
	}
	if err := p.joinAsNew(t, newer); err != nil {
		t.Fatal(err)
	}
	user, err := users.On(p.store).UserByEmail(t.Context(), grace)
	if err != nil || !user.EmailVerified || user.Name != "Grace" {
		t.Errorf("the new user: %+v %v", user, err)
	}
	if text := p.log.String() + p.bench.log.String(); strings.Contains(text, newer) || strings.Contains(text, grace) {
		t.Error("a token or an address is in the log")
	}
}

// TestMembersAreNotifiedByMail checks that members get a mail when an owner changes their role or
// removes them, and none when they leave.
func TestMembersAreNotifiedByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	owner := p.signIn(t, home)
	_, shown := p.invite(t, owner, grace)
	if err := p.joinAsNew(t, shown); err != nil {
		t.Fatal(err)
	}
	user, err := users.On(p.store).UserByEmail(t.Context(), grace)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.SetRole(t.Context(), owner.Principal, user.ID, account.Owner); err != nil {
		t.Fatal(err)
	}
	if m := p.last(t, grace); m.Header.Get("Subject") != "Your role in an account for Agent Chat was changed" || !strings.Contains(m.Text, "“Ada”") {
		t.Errorf("the role: %s", m.Text)
	}
	for i := range notifications.MaxEventMails + 1 {
		if _, err := p.SetRole(t.Context(), owner.Principal, user.ID, []account.Role{account.Viewer, account.Editor}[i%2]); err != nil {
			t.Fatal(err)
		}
	}
	if mails := len(p.all(t)); mails != notifications.MaxEventMails+1 { // the invitation's is one more
		t.Errorf("%d mails within an hour", mails)
	}
	p.exec(t, `UPDATE outbox SET created_at = created_at - interval '1 hour'`)
	if err := p.RemoveMember(t.Context(), owner.Principal, user.ID, false); err != nil {
		t.Fatal(err)
	}
	if m := p.last(t, grace); m.Header.Get("Subject") != "You were removed from an account for Agent Chat" || !strings.Contains(m.Text, "“Ada”") {
		t.Errorf("the removal: %s", m.Text)
	}
	before := len(p.all(t))
	p.exec(t, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`, owner.Principal.AccountID, user.ID)
	change := accounts.MemberChange{AccountID: owner.Principal.AccountID, UserID: user.ID, By: user.ID, Notify: true}
	if err := accounts.On(p.store).RemoveMember(t.Context(), change, false); err != nil {
		t.Fatal(err)
	}
	if after := len(p.all(t)); after != before {
		t.Errorf("%d mails about one's own leaving", after-before)
	}
}
