package mail

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"agentchat/internal/mail/mailtest"
	"agentchat/internal/outbox"
)

var (
	from  = &mail.Address{Name: "Agent Chat", Address: "panel@example.com"}
	hello = Message{ID: "0190a8f0", To: "ada@example.com", Letter: Letter{Subject: "Héllo", Paragraphs: []string{"One & <two>.", "Three."},
		Items: []string{"“A key” (agc_…abcd)"}, Link: "https://chat.example.com/reset#token=x", LinkText: "Open", Last: "The end."}}
)

func TestMessagesAreTakenAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	said, err := Send(t.Context(), Server{URL: server.URL(), From: from, ReplyTo: &mail.Address{Address: "help@example.com"}}, hello)
	if err != nil || said != "2.0.0 OK: queued" {
		t.Fatalf("said %q, %v", said, err)
	}
	got := server.Messages()[0]
	if got.From != "panel@example.com" || got.To != "ada@example.com" {
		t.Errorf("from %s to %s", got.From, got.To)
	}
	for name, want := range map[string]string{"From": `"Agent Chat" <panel@example.com>`, "To": "<ada@example.com>", "Reply-To": "<help@example.com>",
		"Message-Id": "<0190a8f0@example.com>", "Auto-Submitted": "auto-generated", "X-Mailer": "", "User-Agent": "", "Subject": "=?UTF-8?q?H=C3=A9llo?="} {
		if have := got.Header.Get(name); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
	if want := "One & <two>.\n\nThree.\n\n- “A key” (agc_…abcd)\n\nOpen:\nhttps://chat.example.com/reset#token=x\n\nThe end.\n"; got.Text != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
	for _, want := range []string{"<p>One &amp; &lt;two&gt;.</p>", `<a href="https://chat.example.com/reset#token=x">Open</a>`} {
		if !strings.Contains(got.HTML, want) {
			t.Errorf("no %s in %s", want, got.HTML)
		}
	}
	if strings.Contains(got.HTML, "<img") || strings.Contains(got.HTML, "src=") {
		t.Errorf("something is loaded: %s", got.HTML)
	}
}

func TestServersThatDoNotTakeAMessage(t *testing.T) {
	t.Parallel()
	token := strings.Repeat("tOk3n_-", 7)[:43]
	cases := map[string]struct {
		answer func(mailtest.Message) error
		final  bool
		says   string
	}{
		"later":    {func(mailtest.Message) error { return mailtest.Refuse(451, "Try later") }, false, `451 "4.7.1 Try later"`},
		"never":    {func(mailtest.Message) error { return mailtest.Refuse(550, "No such user") }, true, `550 "5.7.1 No such user"`},
		"lost":     {func(mailtest.Message) error { return mailtest.ErrLost }, false, ""},
		"an echo":  {func(mailtest.Message) error { return mailtest.Refuse(554, "Bad: #token="+token) }, true, `554 "5.7.1 Bad: #token=…"`},
		"too long": {func(mailtest.Message) error { return mailtest.Refuse(550, strings.Repeat("no ", 300)) }, true, `550 "5.7.1 no`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.Start(t, nil, false)
			server.Answer(c.answer)
			_, err := Send(t.Context(), Server{URL: server.URL(), From: from}, hello)
			if err == nil || !strings.HasPrefix(err.Error(), c.says) || len(err.Error()) > maxSaid+10 || strings.Contains(err.Error(), token) {
				t.Fatalf("error %v, want %q", err, c.says)
			}
			if _, final := errors.AsType[*outbox.RefusedError](err); final != c.final {
				t.Errorf("final: %v", final)
			}
		})
	}
	server := mailtest.Start(t, nil, false)
	server.Stop()
	_, err := Send(t.Context(), Server{URL: server.URL(), From: from}, hello)
	if _, final := errors.AsType[*outbox.RefusedError](err); err == nil || final {
		t.Errorf("away: %v", err)
	}
}

// A server that hangs holds nothing up for longer than the caller waits.
func TestSlowServerIsLeft(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	hangs := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	server.Answer(func(mailtest.Message) error {
		cancel()
		<-hangs
		return nil
	})
	defer close(hangs)
	if _, err := Send(ctx, Server{URL: server.URL(), From: from}, hello); err == nil {
		t.Error("it was sent")
	}
}

func TestSigningInToTheServer(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	as := func(password string) Server {
		return Server{URL: "smtp://" + url.UserPassword(mailtest.User, password).String() + "@" + server.Addr, From: from}
	}
	if _, err := Send(t.Context(), as(mailtest.Password), hello); err != nil {
		t.Error(err)
	}
	_, err := Send(t.Context(), as("wrong-password"), hello)
	if _, final := errors.AsType[*outbox.RefusedError](err); err == nil || final || strings.Contains(err.Error(), "wrong-password") {
		t.Errorf("a wrong password: %v; it is no fault of the message", err)
	}
}

// A mail server elsewhere gets nothing in the clear.
func TestTLSIsRequiredElsewhere(t *testing.T) {
	t.Parallel()
	config, trusted := certificate(t)
	send := func(server *mailtest.Server, scheme string, roots *x509.CertPool) error {
		s, err := newSender(Server{URL: scheme + "://" + server.Addr, From: from})
		if err != nil {
			t.Fatal(err)
		}
		s.plain, s.tls.RootCAs = false, roots
		_, err = s.send(t.Context(), hello)
		return err
	}
	clear := mailtest.Start(t, nil, false)
	if err := send(clear, "smtp", trusted); err == nil || len(clear.Messages()) > 0 {
		t.Errorf("without STARTTLS: %v", err)
	}
	offers, atOnce := mailtest.Start(t, config, false), mailtest.Start(t, config, true)
	if err := send(offers, "smtp", x509.NewCertPool()); err == nil {
		t.Error("an unknown certificate was taken")
	}
	if err := send(offers, "smtp", trusted); err != nil {
		t.Errorf("STARTTLS: %v", err)
	}
	if err := send(atOnce, "smtps", x509.NewCertPool()); err == nil {
		t.Error("an unknown certificate was taken by smtps")
	}
	if err := send(atOnce, "smtps", trusted); err != nil {
		t.Errorf("smtps: %v", err)
	}
	for address, want := range map[string]bool{"smtp://127.0.0.1:25": true, "smtp://localhost": true, "smtp://[::1]:25": true,
		"smtp://mail.example.com": false, "smtp://10.0.0.1": false, "smtps://127.0.0.1": false} {
		if s, err := newSender(Server{URL: address, From: from}); err != nil || s.plain != want {
			t.Errorf("%s: plain %v, %v", address, !want, err)
		}
	}
}

func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"secret", "http://user:secret@host", "smtp://", "smtp://user:secret@host:99999", "smtp://host/secret", "smtp://host?x=secret",
		"smtp://user:se%zzcret@host", "smtp://secret@host", "smtp://host#secret"} {
		if _, err := ParseServer(bad); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestQuotedNamesMakeNoLinks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"My key":                             "“My key”",
		"v1.2":                               "“v1.2”",
		"evil.example":                       "“evil. example”",
		"https://1.2.3.4/x":                  "“https:// 1.2.3.4/x”",
		"write to me@evil.example":           "“write to me@ evil. example”",
		"a\r\nBcc: b":                        "“a Bcc: b”",
		"<a href=x>\u202ey</a>":              "“<a href=x> y</a>”",
		"\u200bpay\tnow\u2028here\u0000end ": "“pay now here end”",
	} {
		if got := Quoted(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// certificate is one for 127.0.0.1, and who trusts it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if leaf, err := x509.ParseCertificate(der); err == nil {
		trusted.AddCert(leaf)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, trusted
}
