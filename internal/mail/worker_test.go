package mail_test

import (
	"bytes"
	"context"
	"log/slog"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const (
	ada   = "ada@example.com"
	panel = "https://chat.example.com"
)

// bench is a database with a user, a mail server, and any number of replicas.
type bench struct {
	*store.DB
	server *mailtest.Server
	url    string
	log    *lockedBuffer
}

type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{server: mailtest.Start(t, nil, false), url: storetest.URL(t), log: &lockedBuffer{}}
	b.DB = b.open(t)
	if _, err := accounts.On(b.DB).CreateAccount(t.Context(), accounts.NewAccount{Email: ada, Name: "Ada", PasswordHash: "x"}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) open(t *testing.T) *store.DB {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: b.url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// run starts a replica that sends, and returns the function that stops it.
func (b *bench) run(t *testing.T, s *store.DB) (stop func()) {
	t.Helper()
	worker, err := mail.NewWorker(mail.Config{Store: s, LookEvery: 20 * time.Millisecond, Panel: panel, Logger: slog.New(slog.NewTextHandler(b.log, nil)),
		Server: mail.Server{URL: b.server.URL(), From: &netmail.Address{Address: "chat@example.com"}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = worker.Run(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return stop
}

func (b *bench) queue(t *testing.T, message notifications.Mail, address string) {
	t.Helper()
	if err := notifications.On(b.DB).QueueMail(t.Context(), message, address); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := b.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(30 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// waits waits until no mail can be tried now.
func (b *bench) waits(t *testing.T, unsent int) []notifications.UnsentMessage {
	t.Helper()
	var found []notifications.UnsentMessage
	until(t, "the mails are tried", func() bool {
		var due int
		if err := b.SQL().QueryRow(`SELECT count(*) FROM outbox WHERE due_at <= clock_timestamp() + interval '30 s'
			OR due_at IS NOT NULL AND error IS NULL`).Scan(&due); err != nil {
			t.Fatal(err)
		}
		var err error
		if found, err = notifications.On(b.DB).Unsent(t.Context(), notifications.MailKind); err != nil {
			t.Fatal(err)
		}
		return due == 0 && len(found) == unsent
	})
	return found
}

// hurry makes mails due that wait for their next try.
func (b *bench) hurry(t *testing.T) {
	t.Helper()
	b.exec(t, `UPDATE outbox SET due_at = clock_timestamp(), error = NULL WHERE due_at IS NOT NULL`)
}

func TestTwoReplicasSendEachMailOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const n = 30
	for range n {
		b.exec(t, `INSERT INTO outbox (id, kind, message, address) VALUES (gen_random_uuid(), 'MAIL', 'PASSWORD_CHANGED', $1)`, ada)
	}
	b.run(t, b.open(t))
	b.run(t, b.open(t))
	b.waits(t, 0)
	ids := map[string]bool{}
	for _, m := range b.server.Messages() {
		ids[m.Header.Get("Message-Id")] = true
	}
	if len(ids) != n || len(b.server.Messages()) != n {
		t.Errorf("%d messages with %d ids, want %d", len(b.server.Messages()), len(ids), n)
	}
}

func TestAMailIsTriedAgainLater(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	refuse := func(mailtest.Message) error { return mailtest.Refuse(451, "Try later") }
	b.server.Answer(refuse)
	b.run(t, b.DB)
	b.queue(t, notifications.PasswordChanged, ada)
	b.exec(t, `UPDATE outbox SET created_at = created_at - interval '1 h'`)
	for try, pause := range []string{"1 min", "5 min", "15 min", "45 min", "2 h", "4 h", "6 h"} {
		found := b.waits(t, 1)[0]
		var right bool
		if err := b.SQL().QueryRow(`SELECT due_at BETWEEN clock_timestamp() + $1::interval - interval '50 s' AND clock_timestamp() + $1::interval
			FROM outbox`, pause).Scan(&right); err != nil {
			t.Fatal(err)
		}
		if int(found.Tries) != try+1 || !right || found.FailedAt != nil ||
			!strings.Contains(found.Error, "451") {
			t.Fatalf("after try %d: %+v, in %s: %v", try+1, found, pause, right)
		}
		if state, err := notifications.On(b.DB).OutboxState(t.Context(), notifications.MailKind); err != nil || state.Waiting != 1 ||
			state.Oldest < 3600 || state.Oldest > 4200 {
			t.Fatalf("after try %d: %+v, %v", try+1, state, err)
		}
		b.hurry(t)
	}
	if found := b.waits(t, 1)[0]; found.Tries != 8 || found.FailedAt == nil {
		t.Fatalf("after the last try: %+v", found)
	}
	b.server.Answer(nil)
	retried := audit.Entry{Actor: audit.ByOperator, Action: "mail retry"}
	if n, err := notifications.On(b.DB).Retry(t.Context(), notifications.MailKind, b.waits(t, 1)[0].ID, retried); n != 1 ||
		err != nil {
		t.Fatal(n, err)
	}
	b.waits(t, 0)
	if got := b.server.Messages(); len(got) != 1 || got[0].To != ada {
		t.Errorf("it was sent as %+v", got)
	}
}

func TestAFinalRefusalEndsAMailAndStaysVisible(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.server.Answer(func(mailtest.Message) error { return mailtest.Refuse(550, "No such user "+ada) })
	b.run(t, b.DB)
	b.queue(t, notifications.PasswordChanged, ada)
	found := b.waits(t, 1)[0]
	state, err := notifications.On(b.DB).OutboxState(t.Context(), notifications.MailKind)
	if err != nil || found.FailedAt == nil || found.Tries != 1 || state.Waiting != 0 ||
		state.Failed != 1 || !strings.Contains(found.Error, "No such user") {
		t.Errorf("%+v, %+v, %v", found, state, err)
	}
	b.exec(t, `UPDATE outbox SET failed_at = failed_at - interval '89 days'`)
	if n, err := notifications.On(b.DB).PurgeOutbox(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	b.exec(t, `UPDATE outbox SET failed_at = failed_at - interval '2 days'`)
	if n, err := notifications.On(b.DB).PurgeOutbox(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	b.log.Lock()
	defer b.log.Unlock()
	if strings.Contains(b.log.String(), "@") ||
		!strings.Contains(b.log.String(), "a mail was permanently refused") {
		t.Errorf("the log: %s", b.log)
	}
}

// TestALostAnswerMeansARepeat shows that a mail whose answer is lost is sent again with the same
// Message-ID, so that mail programs can drop it.
func TestALostAnswerMeansARepeat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.server.Answer(func(mailtest.Message) error { return mailtest.ErrLost })
	b.run(t, b.DB)
	b.queue(t, notifications.PasswordReset, ada)
	b.waits(t, 1)
	b.server.Answer(nil)
	b.hurry(t)
	b.waits(t, 0)
	got := b.server.Messages()
	if len(got) != 2 || got[0].Header.Get("Message-Id") == "" ||
		got[0].Header.Get("Message-Id") != got[1].Header.Get("Message-Id") {
		t.Fatalf("the tries: %+v", got)
	}
	var links int
	if err := b.SQL().QueryRow(`SELECT count(*) FROM links`).Scan(&links); err != nil || links != 2 {
		t.Errorf("%d tokens, %v: the first may have arrived, too", links, err)
	}
}

// TestSendersThatStop shows that a replica that stops returns its unsent mails, and that the lease
// of a killed one ends.
func TestSendersThatStop(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	entered, hangs := make(chan struct{}), make(chan struct{})
	b.server.Answer(func(mailtest.Message) error {
		close(entered)
		<-hangs
		return mailtest.Refuse(451, "Too late")
	})
	stop := b.run(t, b.DB)
	b.queue(t, notifications.PasswordChanged, ada)
	<-entered
	began := time.Now()
	stop()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a slow server delayed the end for %s", took)
	}
	close(hangs)
	found, err := notifications.On(b.DB).Unsent(t.Context(), notifications.MailKind)
	if err != nil || len(found) != 1 || found[0].Tries != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := notifications.On(b.DB).ClaimOutgoing(t.Context(), notifications.MailKind); err != nil { // this replica is killed
		t.Fatal(err)
	}
	b.server.Answer(nil)
	b.run(t, b.open(t))
	b.exec(t, `UPDATE outbox SET due_at = clock_timestamp() WHERE due_at > clock_timestamp() + interval '1 min'`)
	b.waits(t, 0)
	if got := len(b.server.Messages()); got != 1 {
		t.Errorf("%d messages", got)
	}
}

func TestSentMailsAreRemovedAfterAWeek(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run(t, b.DB)
	b.queue(t, notifications.PasswordChanged, ada)
	b.queue(t, notifications.PasswordReset, "unknown@example.com")
	b.waits(t, 0)
	var rows int
	if err := b.SQL().QueryRow(`SELECT count(*) FROM outbox`).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d rows, %v: no row may remain of an unknown address", rows, err)
	}
	b.exec(t, `UPDATE outbox SET sent_at = sent_at - interval '8 days'`)
	if n, err := notifications.On(b.DB).PurgeOutbox(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
}

// TestTheNoticeListsNewKeys shows that no name of a user becomes a link, and that nothing remains
// of a deleted user.
func TestTheNoticeListsNewKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, err := operator.On(b.DB).AccountByEmail(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	a := storetest.SeedAgent(t, b.DB, owner.ID, storetest.Options{})
	for hint, age := range map[string]string{"agc_…new1": "1 day", "agc_…old1": "31 days"} {
		_, key, _ := storetest.SeedExport(t, b.DB, owner.ID, a.ID, 1)
		b.exec(t, `UPDATE api_keys SET hint = $2, created_at = now() - $3::interval WHERE id = $1`,
			key, hint, age)
	}
	b.exec(t, `UPDATE api_exports SET name = $1`, "<b>win</b> at evil.example")
	b.run(t, b.DB)
	b.queue(t, notifications.PasswordChanged, ada)
	b.waits(t, 0)
	got := b.server.Messages()[0]
	if !strings.Contains(got.Text, "agc_…new1") || strings.Contains(got.Text, "agc_…old1") ||
		!strings.Contains(got.Text, "“<b>win</b> at evil. example”") ||
		strings.Contains(got.HTML, "<b>") {
		t.Errorf("%s\n%s", got.Text, got.HTML)
	}
	if strings.Contains(got.Header.Get("Subject"), "win") {
		t.Errorf("subject: %s", got.Header.Get("Subject"))
	}
	if err := erasure.On(b.DB).DeleteAnyAccount(t.Context(), owner.ID, audit.Entry{Actor: audit.ByUser}); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := b.SQL().QueryRow(`SELECT count(*) FROM outbox`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
}
