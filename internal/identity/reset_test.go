package identity_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	sending "agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/storetest"
)

const another = "another horse battery staple"

// post is a bench with a mail worker and a real server.
type post struct {
	*bench
	server *mailtest.Server
	stop   func()
}

func newPost(t *testing.T, change ...func(*identity.Config)) *post {
	t.Helper()
	change = append(change, func(c *identity.Config) { c.Mail = true })
	p := &post{bench: newBench(t, change...), server: mailtest.Start(t, nil, false)}
	p.signUp(t)
	p.run(t)
	return p
}

// run sends mails until stop is called.
func (p *post) run(t *testing.T) {
	t.Helper()
	worker, err := sending.NewWorker(sending.Config{
		Store:     p.store,
		Panel:     "https://chat.example.com",
		LookEvery: 10 * time.Millisecond,
		Logger:    slog.New(slog.NewTextHandler(p.log, nil)),
		Server: sending.Server{
			URL:  p.server.URL(),
			From: &mail.Address{Address: "chat@example.com"},
		},
	})
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
		err := p.store.SQL().QueryRow(`SELECT count(*) FROM outbox WHERE due_at IS NOT NULL AND (error IS NULL OR due_at <= clock_timestamp())`).Scan(&due)
		if err != nil || time.Now().After(limit) {
			t.Fatal("the outbox is not worked off: ", err)
		}
		if due == 0 {
			return p.server.Messages()
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (b *bench) reset(t *testing.T, token, password string) error {
	t.Helper()
	_, err := b.ResetPassword(t.Context(), token, password, home)
	return err
}

// TestResetPassword checks that neither a scanner that opens the link nor a bad password uses it
// up, and that the wrong passwords before it no longer count.
func TestResetPassword(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	known := client("192.0.2.1", p.signIn(t, home).KnownBrowser)
	p.request(t, email)
	token := p.last(t, email).Token()
	for range 3 {
		if good, err := p.IsReset(t.Context(), token); !good || err != nil {
			t.Fatal(good, err)
		}
	}
	wantKind(t, "an easy password", p.reset(t, token, "password"), fault.InvalidInput)
	enter := func(password string, c identity.Client) error {
		_, err := p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, c)
		return err
	}
	for range identity.MaxGuesses {
		_, _ = enter("I forgot", home), enter("I forgot", known)
	}
	if err := p.reset(t, token, another); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "the old password", enter(password, home), fault.InvalidCredentials)
	if err := errors.Join(enter(another, home), enter(another, known)); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if good, err := p.IsReset(t.Context(), token); good || err != nil {
		t.Errorf("the link still works: %v", err)
	}
	wantKind(t, "twice", p.reset(t, token, another), fault.InvalidInput)
	notice := p.last(t, email)
	const changed = "Your password for Agent Chat was changed"
	if notice.Header.Get("Subject") != changed || notice.Token() != "" {
		t.Errorf("the notice: %+v", notice)
	}
	p.wantNoTraces(t, token)
}

// wantNoTraces stops the worker and checks that tokens are in no log and not in the database.
func (p *post) wantNoTraces(t *testing.T, tokens ...string) {
	t.Helper()
	p.stop()
	for _, token := range tokens {
		if strings.Contains(p.log.String(), token) || len(storetest.Traces(t, p.store, token)) > 0 {
			t.Error("a token is in a log or in the database")
		}
	}
}

// TestThreeMailsOfAllKinds checks that the mails of all kinds that anyone can have sent to a
// mailbox count together, from any network. Notices do not count.
func TestThreeMailsOfAllKinds(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	p.request(t, "b@example.com")            // no user: sends no mail, but counts
	p.byMail(t, "b+1@example.com", password) // the second, to the same mailbox
	token := p.ask(t, me, "b@example.com")   // the third
	p.byMail(t, "b@example.com", password)   // over the limit, without an error
	if err := p.RequestPasswordReset(t.Context(), "b@example.com", client("203.0.113.1")); err != nil {
		t.Errorf("over the limit: %v", err)
	}
	err := p.ChangeEmail(t.Context(), me.Principal, "b@example.com", given, home)
	wantKind(t, "one too many", err, fault.RateLimited)
	if err := p.verify(t, &me, token); err != nil {
		t.Fatal(err)
	}
	for range identity.MaxMails {
		p.byMail(t, email, password) // which has the notice of the change
	}
	mails := map[string]int{}
	for _, m := range p.idle(t) {
		mails[m.To]++
	}
	want := map[string]int{"b+1@example.com": 1, "b@example.com": 1, email: identity.MaxMails + 1}
	if !maps.Equal(mails, want) {
		t.Errorf("the mails are %v, want %v", mails, want)
	}
	for range identity.MaxResets - 1 {
		p.request(t, "nobody@example.com")
	}
	wantKind(t, "one network", p.RequestPasswordReset(t.Context(), email, home), fault.RateLimited)
	p.age(t, "1 hour")
	p.request(t, "b@example.com")
	if m := p.last(t, "b@example.com"); !strings.Contains(m.Text, "/reset#token=") {
		t.Errorf("an hour later: %s", m.Text)
	}
}
