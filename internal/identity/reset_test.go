package identity_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"log/slog"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	sending "agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

const another = "another horse battery staple"

// post is a bench with a mail worker and a real server.
type post struct {
	*bench
	server *mailtest.Server
	log    *bytes.Buffer
	stop   func()
}

func newPost(t *testing.T, change ...func(*identity.Config)) *post {
	t.Helper()
	p := &post{bench: newBench(t, append(change, func(c *identity.Config) { c.Mail = true })...), server: mailtest.Start(t, nil, false),
		log: &bytes.Buffer{}}
	p.signUp(t)
	p.run(t)
	return p
}

// run sends mails until stop is called.
func (p *post) run(t *testing.T) {
	t.Helper()
	worker, err := sending.NewWorker(sending.Config{Store: p.store, Panel: "https://chat.example.com", LookEvery: 10 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(p.log, nil)),
		Server: sending.Server{URL: p.server.URL(), From: &mail.Address{Address: "chat@example.com"}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = worker.Run(ctx)
	}()
	p.stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(p.stop)
}

func (p *post) request(t *testing.T, address string) {
	t.Helper()
	if err := p.RequestPasswordReset(t.Context(), address, home); err != nil {
		t.Fatal(err)
	}
}

// idle is all without the notices of new browsers, which most sign-ins of these tests cause.
func (p *post) idle(t *testing.T) []mailtest.Message {
	t.Helper()
	return slices.DeleteFunc(p.all(t), func(m mailtest.Message) bool { return m.Header.Get("Subject") == "New sign-in to Agent Chat" })
}

// all waits until no message of the outbox is due, and returns all mails that were sent.
func (p *post) all(t *testing.T) []mailtest.Message {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); ; {
		var due int
		err := p.store.SQL().QueryRow(`SELECT count(*) FROM outbox WHERE due IS NOT NULL AND (error IS NULL OR due <= clock_timestamp())`).Scan(&due)
		if err != nil || time.Now().After(limit) {
			t.Fatal("the outbox is not worked off: ", err)
		}
		if due == 0 {
			return p.server.Messages()
		}
		<-time.After(5 * time.Millisecond)
	}
}

// link requests a link and returns the mailed token.
func (p *post) link(t *testing.T) string {
	t.Helper()
	p.request(t, email)
	got := p.idle(t)
	token := got[len(got)-1].Token()
	if len(token) != 43 {
		t.Fatalf("no link in %q", got[len(got)-1].Text)
	}
	return token
}

func (p *post) reset(t *testing.T, token string) error {
	t.Helper()
	return p.resetTo(t, token, another)
}

func (b *bench) resetTo(t *testing.T, token, password string) error {
	t.Helper()
	_, err := b.ResetPassword(t.Context(), token, password, home)
	return err
}

func (p *post) hours(t *testing.T, interval string) {
	t.Helper()
	p.exec(t, `UPDATE links SET expires_at = expires_at - $1::interval`, interval)
}

func TestResetSetsThePasswordAndEndsSignIns(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	thief := p.signIn(t, client("203.0.113.9"))
	token := p.link(t)
	for range 3 { // a scanner opens the link
		if good, err := p.IsReset(t.Context(), token); !good || err != nil {
			t.Fatal(good, err)
		}
	}
	wantKind(t, "an easy password", p.resetTo(t, token, "password"), fault.InvalidInput)
	for range identity.MaxGuesses { // what was tried before
		_, _ = p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: "I forgot"}, home)
	}
	if err := p.reset(t, token); err != nil {
		t.Fatal(err)
	}
	if p.authentic(t, thief.AccessToken) {
		t.Error("a thief's sign-in still works")
	}
	if _, err := p.Renew(t.Context(), holding(thief.RefreshToken)); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("a thief renews: %v", err)
	}
	_, err := p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
	wantKind(t, "the old password", err, fault.InvalidCredentials)
	known := client("192.0.2.1", thief.KnownBrowser)
	if _, err := p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: another}, known); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if good, err := p.IsReset(t.Context(), token); good || err != nil {
		t.Errorf("the link still works: %v", err)
	}
	got := p.idle(t)
	if last := got[len(got)-1]; last.To != email || !strings.Contains(last.Header.Get("Subject"), "changed") || last.Token() != "" {
		t.Errorf("the notice: %+v", last)
	}
	p.stop()
	if strings.Contains(p.log.String(), token) {
		t.Error("the token is in the log")
	}
}

func TestResetTakesAsLongForUnknownAddresses(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.stop()
	measure := func(address string) int64 {
		before := p.statements.Load()
		p.request(t, address)
		return p.statements.Load() - before
	}
	for range identity.MaxMails + 1 { // the last ones are over the limit
		if known, unknown := measure(email), measure("nobody@example.com"); known != unknown || known == 0 {
			t.Errorf("a known address takes %d statements, an unknown one %d", known, unknown)
		}
	}
}

func TestResetSendsNobodyManyMails(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	for _, from := range []string{"192.0.2.1", "198.51.100.1", "203.0.113.1"} {
		for range 3 {
			if err := p.RequestPasswordReset(t.Context(), email, client(from)); err != nil {
				t.Fatal(err)
			}
			p.idle(t)
		}
	}
	p.request(t, "nobody@example.com")
	local, domain, _ := strings.Cut(email, "@")
	p.byMail(t, local+"+1@"+domain, another) // the same mailbox
	if got := p.idle(t); len(got) != identity.MaxMails {
		t.Errorf("%d mails, want %d", len(got), identity.MaxMails)
	}
	p.age(t, "1 hour")
	p.link(t)
	for range identity.MaxResets - 1 {
		p.request(t, "nobody@example.com")
	}
	wantKind(t, "one network", p.RequestPasswordReset(t.Context(), "another@example.com", home), fault.RateLimited)
}

func TestResetUsesALinkUpOnce(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	token := p.link(t)
	var worked atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			service := p.Service
			if i%2 == 1 {
				service = p.second
			}
			_, err := service.ResetPassword(t.Context(), token, another, home)
			if err == nil {
				worked.Add(1)
			} else if !fault.Is(err, fault.InvalidInput) {
				t.Errorf("at once: %v", err)
			}
		})
	}
	all.Wait()
	if worked.Load() != 1 {
		t.Errorf("the link worked %d times", worked.Load())
	}
	wantKind(t, "once more", p.reset(t, token), fault.InvalidInput)
}

func TestResetTakesNoLinkThatIsVoid(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	older := p.link(t)
	newer := p.link(t)
	wantKind(t, "an older one", p.reset(t, older), fault.InvalidInput)
	p.hours(t, "59 minutes")
	if good, _ := p.IsReset(t.Context(), newer); !good {
		t.Error("it ends too early")
	}
	p.hours(t, "1 minute")
	wantKind(t, "after an hour", p.reset(t, newer), fault.InvalidInput)
	moved := p.link(t)
	p.exec(t, `UPDATE users SET email = 'other@example.com'`)
	wantKind(t, "after a change of address", p.reset(t, moved), fault.InvalidInput)
	p.exec(t, `UPDATE users SET email = $1`, email)
	p.age(t, "1 hour")
	before := p.link(t)
	session := p.signIn(t, home)
	if err := p.ChangePassword(t.Context(), session.Principal, identity.Reauthentication{Password: password}, another, home); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "after a new password", p.reset(t, before), fault.InvalidInput)
	for _, token := range []string{"", "x", strings.Repeat("A", 43), strings.Repeat("x", 1<<16), "\x00"} {
		wantKind(t, "no token", p.reset(t, token), fault.InvalidInput)
	}
}

// TestResetAfterAnOutageOfTheMailServer checks that the hour of a link begins when the mail is
// sent, not when it was requested.
func TestResetAfterAnOutageOfTheMailServer(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.server.Answer(func(mailtest.Message) error { return mailtest.Refuse(451, "Not now") })
	p.request(t, email)
	p.idle(t)
	p.hours(t, "2 hours")
	p.exec(t, `UPDATE outbox SET created_at = created_at - interval '2 hours'`)
	if err := p.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.server.Answer(nil)
	p.exec(t, `UPDATE outbox SET due = clock_timestamp(), error = NULL`)
	if err := p.reset(t, p.idle(t)[0].Token()); err != nil {
		t.Error(err)
	}
}

// TestResetReplacedByANewerOne checks that a waiting request is not sent after a newer one.
func TestResetReplacedByANewerOne(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.server.Answer(func(mailtest.Message) error { return mailtest.Refuse(451, "Not now") })
	p.request(t, email)
	p.idle(t)
	p.server.Answer(nil)
	token := p.link(t)
	p.exec(t, `UPDATE outbox SET due = clock_timestamp(), error = NULL WHERE due IS NOT NULL`)
	if got := p.idle(t); len(got) != 1 {
		t.Errorf("%d mails were sent", len(got))
	}
	if err := p.reset(t, token); err != nil {
		t.Errorf("the newer link: %v", err)
	}
}

// TestResetByHand checks that a link of the operator verifies the address, works without mail, and
// replaces earlier links.
func TestResetByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *identity.Config) { c.SupportContact = "Call Bob." })
	me := b.signUp(t).Principal
	err := b.RequestPasswordReset(t.Context(), email, home)
	wantKind(t, "without mail", err, fault.InvalidInput)
	if !strings.Contains(fault.ClientMessage(err), "Call Bob.") {
		t.Errorf("it says %q", fault.ClientMessage(err))
	}
	if err := notifications.On(b.store).QueueMail(t.Context(), notifications.PasswordReset, email); err != nil { // of a time with mail
		t.Fatal(err)
	}
	first, hash := sending.NewToken()
	second, hash2 := sending.NewToken()
	for _, h := range [][sha256.Size]byte{hash, hash2} {
		if err := users.On(b.store).ResetByHand(t.Context(), email, h, audit.Entry{Actor: audit.ByOperator, Action: "user reset-link"}); err != nil {
			t.Fatal(err)
		}
	}
	wantKind(t, "an older link", b.resetTo(t, first, another), fault.InvalidInput)
	if err := b.resetTo(t, second, another); err != nil {
		t.Error(err)
	}
	if state, err := notifications.On(b.store).OutboxState(t.Context(), notifications.MailKind); state.Waiting != 0 || err != nil {
		t.Errorf("%d mails wait, %v: neither the old request nor a notice", state.Waiting, err)
	}
	want := []string{"signUp 192.0.2.1", "user reset-link ", "user reset-link ", "resetPassword password 192.0.2.1"}
	if got := b.events(t, me.UserID); !slices.Equal(got, want) {
		t.Errorf("the entries are %q, want %q", got, want)
	}
}
