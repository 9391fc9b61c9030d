package mail

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/textproto"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/wneessen/go-mail/smtp"

	"agentchat/internal/outbox"
)

const (
	// sendWithin is the time limit of one message, including the connection; stepWithin is that of
	// each step.
	sendWithin = time.Minute
	stepWithin = 30 * time.Second
	// maxSaid is the most characters of a server's response that are stored.
	maxSaid = 300
	// authRequired is a response to any command from a server that requires authentication or STARTTLS
	// first (RFC 4954, RFC 3207).
	authRequired = 530
)

// mechanism is an authentication mechanism.
type mechanism struct {
	name string
	auth func(s *sender, user, password string) smtp.Auth
}

// mechanisms are in order of preference. The last two send the password itself; without TLS, only
// to a server on loopback.
var mechanisms = []mechanism{
	{"SCRAM-SHA-256", func(_ *sender, user, password string) smtp.Auth { return smtp.ScramSHA256Auth(user, password) }},
	{"SCRAM-SHA-1", func(_ *sender, user, password string) smtp.Auth { return smtp.ScramSHA1Auth(user, password) }},
	{"CRAM-MD5", func(_ *sender, user, password string) smtp.Auth { return smtp.CRAMMD5Auth(user, password) }},
	{"PLAIN", func(s *sender, user, password string) smtp.Auth {
		return smtp.PlainAuth("", user, password, s.url.Hostname(), s.loopback)
	}},
	{"LOGIN", func(s *sender, user, password string) smtp.Auth {
		return smtp.LoginAuth(user, password, s.url.Hostname(), s.loopback)
	}},
}

// deliver sends a message to the server and returns its response. An error begins with the server's
// code and the step, like "530 at MAIL FROM". If the server refuses the recipient or the message,
// the error is an outbox.RefusedError.
func (s *sender) deliver(ctx context.Context, to string,
	message io.WriterTo) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	var client *smtp.Client
	for _, step := range []struct {
		name string
		// ofMessage means that a refusal is about this message, not about the operator's account or the
		// server's settings.
		ofMessage bool
		run       func() error
	}{
		{"connect", false, func() (err error) { client, err = s.connect(ctx); return err }},
		{"EHLO", false, func() error { return client.Hello(hostname()) }},
		{"STARTTLS", false, func() error { return s.startTLS(client) }},
		{"AUTH", false, func() error { return s.signIn(client) }},
		{"MAIL FROM", false, func() error { return client.Mail(envelope(s.From.Address)) }},
		{"RCPT TO", true, func() error { return client.Rcpt(envelope(to)) }},
		{"DATA", true, func() (err error) { said, err = transfer(client, message); return err }},
	} {
		if client != nil {
			_ = client.UpdateDeadline(stepWithin) // fails for a closed connection, and so does the step
		}
		if err := step.run(); err != nil {
			code, text := s.reason(ctx, err)
			if code == 0 {
				return "", fmt.Errorf("failed at %s: %s", step.name, text)
			}
			if client != nil {
				_ = client.Quit()
			}
			err = fmt.Errorf("%d at %s: %s", code, step.name, text)
			if step.ofMessage && code >= 500 && code != authRequired {
				err = &outbox.RefusedError{Err: err}
			}
			return "", err
		}
	}
	_ = client.Quit() // the server already has the message
	return said, nil
}

// connect reads the server's greeting. The connection ends with the context.
func (s *sender) connect(ctx context.Context) (*smtp.Client, error) {
	port, secure := "587", s.url.Scheme == "smtps"
	if secure {
		port = "465"
	}
	if given := s.url.Port(); given != "" {
		port = given
	}
	dialer := &net.Dialer{Timeout: stepWithin}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(s.url.Hostname(), port))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(stepWithin)); err != nil {
		return nil, err
	}
	if secure {
		conn = tls.Client(conn, s.tls)
	}
	return smtp.NewClient(conn, s.url.Hostname())
}

// hostname returns the machine's name, which the service sends in EHLO.
func hostname() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}

// startTLS encrypts the connection if the server offers STARTTLS. Every server must, except on
// loopback.
func (s *sender) startTLS(client *smtp.Client) error {
	if s.url.Scheme == "smtps" {
		return nil
	}
	if offered, _ := client.Extension("STARTTLS"); offered {
		return client.StartTLS(s.tls)
	}
	if s.loopback {
		return nil
	}
	return errors.New("the server does not offer it, and mail is not sent without TLS")
}

// signIn authenticates with the first mechanism that the server offers.
func (s *sender) signIn(client *smtp.Client) error {
	user := s.url.User.Username()
	if user == "" {
		return nil
	}
	_, offered := client.Extension("AUTH")
	for _, m := range mechanisms {
		if slices.Contains(strings.Fields(offered), m.name) {
			password, _ := s.url.User.Password()
			return client.Auth(m.auth(s, user, password))
		}
	}
	return fmt.Errorf("the server offers %q; SCRAM, CRAM-MD5, PLAIN and LOGIN are supported", offered)
}

// envelope returns an address in the form for MAIL FROM and RCPT TO.
func envelope(address string) string { return (&mail.Address{Address: address}).String() }

// transfer sends the text of a message and returns the server's response.
func transfer(client *smtp.Client, message io.WriterTo) (said string, err error) {
	body, err := client.Data()
	if err != nil {
		return "", err
	}
	if _, err := message.WriteTo(body); err != nil {
		return "", err
	}
	if err := body.Close(); err != nil {
		return "", err
	}
	if sent, ok := body.(*smtp.DataCloser); ok {
		said = sent.ServerResponse()
	}
	return said, nil
}

// emailAddress matches an email address.
var emailAddress = regexp.MustCompile(`[^\s<>]+@[^\s<>]+`)

// reason returns the code of the server's response, 0 for an error without one, and its text for
// /readyz, without addresses.
func (s *sender) reason(ctx context.Context, err error) (code int, text string) {
	text = err.Error()
	if answer, ok := errors.AsType[*textproto.Error](err); ok {
		code, text = answer.Code, answer.Msg
	} else if ctx.Err() != nil {
		text = "no response in time"
	}
	return code, emailAddress.ReplaceAllString(s.clean(text), "…")
}

// token matches the token of a link.
var token = regexp.MustCompile(`[A-Za-z0-9_-]{43}`)

// clean turns a server's response, which may quote the client, into one short line without secrets.
func (s *sender) clean(text string) string {
	if password, _ := s.url.User.Password(); password != "" {
		encode := base64.StdEncoding.EncodeToString
		plain := encode([]byte("\x00" + s.url.User.Username() + "\x00" + password))
		for _, secret := range []string{plain, encode([]byte(password)), password} {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	text = token.ReplaceAllString(text, "…")
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	line := []rune(strings.Join(words, " "))
	return string(line[:min(len(line), maxSaid)])
}
