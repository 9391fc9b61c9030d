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

func TestSentMessage(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, nil, false)
	said, err := Send(t.Context(),
		Server{URL: server.URL(), From: from, ReplyTo: &mail.Address{Address: "help@example.com"}}, hello)
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
	for _, want := range []string{"<p>One &amp; &lt;two&gt;.</p>",
		`<a href="https://chat.example.com/reset#token=x">Open</a>`} {
		if !strings.Contains(got.HTML, want) {
			t.Errorf("no %s in %s", want, got.HTML)
		}
	}
	if strings.Contains(got.HTML, "<img") || strings.Contains(got.HTML, "src=") {
		t.Errorf("the mail loads something: %s", got.HTML)
	}
}

// TestServersThatDoNotTakeAMessage shows that only a refusal of the recipient or of the message
// ends a mail. The error contains the step, but neither addresses nor secrets.
func TestServersThatDoNotTakeAMessage(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("tOk3n_-", 7)[:43]
	for name, c := range map[string]struct {
		script map[string]string
		final  bool
		says   string
	}{
		"away":                 {nil, false, "failed at connect: dial tcp 127.0.0.1:"},
		"greeting":             {map[string]string{"": "554 5.3.2 Not today"}, false, "554 at connect: 5.3.2 Not today"},
		"too many connections": {map[string]string{"": "421 4.7.0 Too many"}, false, "421 at connect: 4.7.0 Too many"},
		"EHLO":                 {map[string]string{"EHLO": "550 5.7.1 Who?", "HELO": "550 5.7.1 Who?"}, false, "550 at EHLO: 5.7.1 Who?"},
		"STARTTLS": {map[string]string{"EHLO": "250-mail\n250 STARTTLS", "STARTTLS": "502 5.5.1 Not implemented"}, false,
			"502 at STARTTLS: 5.5.1 Not implemented"},
		"no AUTH": {map[string]string{"EHLO": "250-mail\n250 SIZE"}, false, `failed at AUTH: the server offers "";`},
		"AUTH": {map[string]string{"EHLO": "250-mail\n250 AUTH PLAIN", "AUTH": "535 5.7.8 AGEAcEBzcy93b3Jk is not p@ss/word"}, false,
			"535 at AUTH: 5.7.8 … is not …"},
		"530 to the sender": {map[string]string{"MAIL": "530 5.7.0 Must issue a STARTTLS command first"}, false,
			"530 at MAIL FROM: 5.7.0 Must issue a STARTTLS command first"},
		"550 to the sender": {map[string]string{"MAIL": "550-5.7.60 panel@example.com is not\n550 5.7.60 allowed"}, false,
			"550 at MAIL FROM: 5.7.60 … is not 5.7.60 allowed"},
		"530 to the recipient": {map[string]string{"RCPT": "530 5.7.0 Authentication required"}, false, "530 at RCPT TO: 5.7.0 Authentication"},
		"550 to the recipient": {map[string]string{"RCPT": "550 5.1.1 <ada@example.com>: No such user"}, true, "550 at RCPT TO: 5.1.1 <…>: No such user"},
		"greylisting":          {map[string]string{"RCPT": "450 4.2.0 Greylisted"}, false, "450 at RCPT TO: 4.2.0 Greylisted"},
		"shutdown":             {map[string]string{"RCPT": "421 4.3.2 Bye"}, false, "421 at RCPT TO: 4.3.2 Bye"},
		"DATA":                 {map[string]string{"DATA": "554 5.5.1 No valid recipients"}, true, "554 at DATA: 5.5.1 No valid recipients"},
		"the text":             {map[string]string{".": "554 5.7.1 Spam: #token=" + secret}, true, "554 at DATA: 5.7.1 Spam: #token=…"},
		"the text, for now":    {map[string]string{".": "451 4.7.1 Try later"}, false, "451 at DATA: 4.7.1 Try later"},
		"a long answer":        {map[string]string{".": "550 5.7.1 " + strings.Repeat("no ", 300)}, true, "550 at DATA: 5.7.1 no"},
		"lost at RCPT TO":      {map[string]string{"RCPT": "lost"}, false, "failed at RCPT TO: EOF"},
		"lost after the text":  {map[string]string{".": "lost"}, false, "failed at DATA: EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := "127.0.0.1:1"
			if c.script != nil {
				address = mailtest.Script(t, c.script)
			}
			if strings.Contains(name, "AUTH") {
				address = "a:p%40ss%2Fword@" + address
			}
			_, err := Send(t.Context(), Server{URL: "smtp://" + address, From: from}, hello)
			if err == nil || !strings.HasPrefix(err.Error(), c.says) || len(err.Error()) > maxSaid+20 ||
				strings.Contains(err.Error(), secret) {
				t.Fatalf("error %v, want %q", err, c.says)
			}
			if _, final := errors.AsType[*outbox.RefusedError](err); final != c.final {
				t.Errorf("final: %v", final)
			}
		})
	}
}

// TestSlowServerIsLeft shows that a server that hangs does not delay the sender after its context
// has ended.
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

// elsewhere sends as if the server were not on loopback, if roots are given.
func elsewhere(t *testing.T, address string, roots *x509.CertPool) error {
	t.Helper()
	s, err := newSender(Server{URL: address, From: from})
	if err != nil {
		t.Fatal(err)
	}
	if roots != nil {
		s.loopback, s.tls.InsecureSkipVerify, s.tls.RootCAs = false, false, roots
	}
	_, err = s.send(t.Context(), hello)
	return err
}

// TestSigningInToTheServer shows that the preferred one of the offered mechanisms is used with
// STARTTLS, with smtps, and without TLS on loopback.
func TestSigningInToTheServer(t *testing.T) {
	t.Parallel()
	config, trusted := certificate(t)
	as := url.UserPassword(mailtest.User, mailtest.Password).String() + "@"
	for offered, want := range map[string]string{
		"LOGIN":         "LOGIN",
		"LOGIN XOAUTH2": "LOGIN",
		"NTLM LOGIN":    "LOGIN",
		"LOGIN PLAIN":   "PLAIN",
		"XOAUTH2":       "",
		"NTLM":          "",
		"LOGIN PLAIN CRAM-MD5 SCRAM-SHA-1 SCRAM-SHA-1-PLUS":    "SCRAM-SHA-1",
		"LOGIN PLAIN CRAM-MD5 NTLM":                            "CRAM-MD5",
		"SCRAM-SHA-1 SCRAM-SHA-256 SCRAM-SHA-256-PLUS XOAUTH2": "SCRAM-SHA-256",
	} {
		offer := mailtest.Offer(strings.Fields(offered)...)
		for where, c := range map[string]struct {
			scheme string
			tls    *tls.Config
			roots  *x509.CertPool
		}{"without TLS": {"smtp://", nil, nil}, "STARTTLS": {"smtp://", config, trusted}, "smtps": {"smtps://", config, trusted}} {
			server := mailtest.Start(t, c.tls, c.scheme == "smtps://", offer)
			err := elsewhere(t, c.scheme+as+server.Addr, c.roots)
			if got := strings.Join(server.Used(), " "); got != want ||
				(err == nil) != (want == "LOGIN" || want == "PLAIN") {
				t.Errorf("%s, %s: used %q, want %q, %v", offered, where, got, want, err)
			}
		}
	}
}

// TestTLSIsRequiredElsewhere shows that nothing is sent to a mail server on another host without
// TLS. A server on loopback needs neither TLS nor a trusted certificate.
func TestTLSIsRequiredElsewhere(t *testing.T) {
	t.Parallel()
	config, trusted := certificate(t)
	unknown := x509.NewCertPool()
	for name, c := range map[string]struct {
		tls              *tls.Config
		atOnce, requires bool
		roots            *x509.CertPool
		fails            string
	}{
		"elsewhere without STARTTLS":              {nil, false, false, trusted, "failed at STARTTLS: the server does not offer it"},
		"elsewhere, unknown certificate":          {config, false, false, unknown, "failed at STARTTLS: tls: failed to verify certificate"},
		"elsewhere":                               {config, false, true, trusted, ""},
		"elsewhere by smtps, unknown certificate": {config, true, false, unknown, "failed at connect: tls: failed to verify certificate"},
		"elsewhere by smtps":                      {config, true, false, trusted, ""},
		"loopback without STARTTLS":               {nil, false, false, nil, ""},
		"loopback that demands STARTTLS":          {config, false, true, nil, ""},
		"loopback that requires TLS without it":   {nil, false, true, nil, "530 at MAIL FROM: 5.7.0 Must issue a STARTTLS command first"},
		"loopback by smtps, unknown certificate":  {config, true, false, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scheme, options := "smtp://", []func(*mailtest.Server){}
			if c.atOnce {
				scheme = "smtps://"
			}
			if c.requires {
				options = append(options, mailtest.RequireTLS)
			}
			server := mailtest.Start(t, c.tls, c.atOnce, options...)
			err := elsewhere(t, scheme+server.Addr, c.roots)
			if (err == nil) != (c.fails == "") || err != nil && !strings.HasPrefix(err.Error(), c.fails) {
				t.Errorf("%v, want %q", err, c.fails)
			}
		})
	}
	for address, want := range map[string]bool{"smtp://127.0.0.1:25": true, "smtp://localhost": true, "smtp://[::1]:25": true,
		"smtp://mail.example.com": false, "smtp://10.0.0.1": false, "smtps://127.0.0.1": true} {
		if s, err := newSender(Server{URL: address, From: from}); err != nil || s.loopback != want ||
			s.tls.InsecureSkipVerify != want {
			t.Errorf("%s: loopback %v, %v", address, !want, err)
		}
	}
}

func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"secret", "http://user:secret@host", "smtp://",
		"smtp://user:secret@host:99999", "smtp://host/secret", "smtp://host?x=secret",
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

// certificate returns a certificate for 127.0.0.1, and the pool that trusts it.
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
	return &tls.Config{Certificates: []tls.Certificate{{
		Certificate: [][]byte{der},
		PrivateKey:  key,
	}}}, trusted
}
