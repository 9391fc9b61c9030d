package identity_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// invite invites an address into the account of a sign-in, and returns the token that is shown.
func (p *post) invite(t *testing.T, in identity.SignedIn, address string) (shown string) {
	t.Helper()
	shown = uuid.NewString()
	hash := sha256.Sum256([]byte(shown))
	if _, err := p.Invite(t.Context(), in.Principal, address, account.Editor, hash); err != nil {
		t.Fatal(err)
	}
	return shown
}

func (b *bench) joinAsNew(t *testing.T, token string) error {
	t.Helper()
	_, err := b.AcceptInvitation(t.Context(), nil, identity.AcceptInput{Token: token, Name: "Grace", Password: password}, home)
	return err
}

// TestAnInvitationByMail checks that the mail names the role, has its own token, and turns no name
// into a link or a header.
func TestAnInvitationByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	owner := p.signIn(t, home)
	p.exec(t, `UPDATE accounts SET name = $1`, "Evil\r\nBcc: x@evil.example <b>https://evil.example</b>")
	shown := p.invite(t, owner, grace)
	m := p.last(t, grace)
	if m.Header.Get("Subject") != "An invitation to Agent Chat" || m.Header.Get("Bcc") != "" ||
		m.Token() == shown || !strings.Contains(m.Text, "as its editor") ||
		!strings.Contains(m.Text, "https://chat.example.com/invitation#token=") {
		t.Errorf("the letter: %s", m.Text)
	}
	for _, bad := range []string{"evil.example", "ada@example", "<b>"} {
		if strings.Contains(m.HTML, bad) || strings.Contains(m.Text, bad) && bad != "<b>" {
			t.Errorf("%s is in the letter: %s", bad, m.Text)
		}
	}
	if err := p.joinAsNew(t, m.Token()); err != nil {
		t.Fatal(err)
	}
	f, ok := errors.AsType[*fault.Error](p.joinAsNew(t, m.Token()))
	if !ok || f.Kind != fault.InvalidInput || f.Fields[0].Path != "token" {
		t.Errorf("twice: %v", f)
	}
	p.wantNoTraces(t, m.Token())
	if strings.Contains(p.log.String(), grace) {
		t.Error("an address is in the log")
	}
}

// TestMembersAreNotifiedByMail checks that members get a mail when an owner changes their role or
// removes them, at most some an hour, and none when they leave.
func TestMembersAreNotifiedByMail(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	owner := p.signIn(t, home)
	token := p.invite(t, owner, grace)
	p.idle(t) // an invitation that is used is no longer sent
	if err := p.joinAsNew(t, token); err != nil {
		t.Fatal(err)
	}
	user, err := users.On(p.store).UserByEmail(t.Context(), grace)
	if err != nil {
		t.Fatal(err)
	}
	want := func(subject string, mails int) {
		t.Helper()
		m := p.last(t, grace)
		if got := m.Header.Get("Subject"); got != subject || !strings.Contains(m.Text, "“Ada”") {
			t.Errorf("the mail is %q: %s", got, m.Text)
		}
		if n := len(p.idle(t)); n != mails {
			t.Errorf("%d mails, want %d", n, mails)
		}
	}
	for i := range notifications.MaxEventMails + 1 {
		role := []account.Role{account.Owner, account.Viewer}[i%2]
		if _, err := p.SetRole(t.Context(), owner.Principal, user.ID, role); err != nil {
			t.Fatal(err)
		}
	}
	// The limit includes the invitation.
	want("Your role in an account for Agent Chat was changed", notifications.MaxEventMails)
	p.exec(t, `UPDATE outbox SET created_at = created_at - interval '1 hour'`)
	if err := p.RemoveMember(t.Context(), owner.Principal, user.ID, false); err != nil {
		t.Fatal(err)
	}
	const removed = "You were removed from an account for Agent Chat"
	want(removed, notifications.MaxEventMails+1)
	p.exec(t, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`, owner.Principal.AccountID, user.ID)
	leaving := auth.Principal{UserID: user.ID, AccountID: owner.Principal.AccountID}
	if err := p.RemoveMember(t.Context(), leaving, user.ID, false); err != nil {
		t.Fatal(err)
	}
	want(removed, notifications.MaxEventMails+1)
}
