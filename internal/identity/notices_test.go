package identity_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// TestNotices checks that each change of a user's credentials sends one mail, even when the limit
// of mails that anyone can have sent is reached. Without mail nothing is queued.
func TestNotices(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	for range identity.MaxMails + 1 {
		p.request(t, email)
	}
	p.all(t)
	session := p.signIn(t, home)
	known := client("198.51.100.1", session.KnownBrowser)
	var d device
	told := len(p.all(t))
	for _, step := range []struct {
		what, subject string
		do            func() error
	}{
		{"a new browser", "New sign-in to Agent Chat", func() error { return p.enter(t, "") }},
		{"a known browser", "", func() error { return p.enter(t, "", known) }},
		{"a new password", "Your password for Agent Chat was changed", func() error {
			return p.ChangePassword(t.Context(), session.Principal, given, password, home)
		}},
		{"a factor", "Two-factor authentication for Agent Chat is on", func() error {
			d = p.setUp(t, session.Principal)
			return nil
		}},
		{"a wrong code", "A wrong code was entered for Agent Chat", func() error {
			wantKind(t, "a wrong code", p.enter(t, "let me in", known), fault.SecondFactorRequired)
			return nil
		}},
		{"no code", "", func() error {
			wantKind(t, "no code", p.enter(t, "", known), fault.SecondFactorRequired)
			return nil
		}},
		{"a recovery code", "A recovery code for Agent Chat was used", func() error {
			return p.enter(t, d.recovery[0], known)
		}},
		{"no factor", "Two-factor authentication for Agent Chat is off", func() error {
			with := identity.Reauthentication{Password: password, Code: d.code(0)}
			return p.RemoveSecondFactor(t.Context(), session.Principal, with, home)
		}},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		got := p.all(t)[told:]
		told += len(got)
		if step.subject == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].Header.Get("Subject") != step.subject || got[0].To != email {
			t.Errorf("%s: %d mails: %+v", step.what, len(got), got)
			continue
		}
		if text := got[0].Text; !strings.Contains(text, "https://chat.example.com") || !strings.Contains(text, "If ") ||
			strings.ContainsAny(text, "{}") || strings.Contains(text, "192.0.2") {
			t.Errorf("%s: it says %s", step.what, text)
		}
	}

	b := newBench(t)
	without := b.signUp(t).Principal
	b.signIn(t, home)
	d = b.setUp(t, without)
	_ = b.enter(t, "let me in")
	if err := b.enter(t, d.recovery[0]); err != nil {
		t.Fatal(err)
	}
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d mails wait without mail", n)
	}
}
