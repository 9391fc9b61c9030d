// Package mail sends the service's e-mail: it writes the messages, hands them to a mail server, and works the outbox off in the background.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	smtp "github.com/wneessen/go-mail"

	"agentchat/internal/baseurl"
	"agentchat/internal/outbox"
)

const (
	// sendWithin is how long a mail server may take for one message, from the connection on.
	sendWithin = time.Minute
	// stepWithin is how long it may take to answer at all.
	stepWithin = 30 * time.Second
	// maxSaid is how many characters of a server's answer are kept.
	maxSaid = 300
)

// Server is where mail is handed over, and in whose name. URL is one that ParseServer takes.
type Server struct {
	URL  string
	From *mail.Address
	// ReplyTo is where answers go; nil for From.
	ReplyTo *mail.Address
}

// errServer says how the URL is written. It does not repeat it, because of the password.
var errServer = errors.New("is not the address of a mail server: write it like smtp://user:password@mail.example.com:587, or smtps:// " +
	"for TLS from the first byte, with special characters percent-encoded")

// ParseServer reads the URL of a mail server. Its error is written to follow the setting's name, and does not repeat the URL.
func ParseServer(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Opaque != "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, errServer
	}
	if port, err := strconv.Atoi(cmp.Or(u.Port(), "1")); err != nil || port < 1 || port > 65535 {
		return nil, errServer
	}
	if password, _ := u.User.Password(); (u.User.Username() == "") != (password == "") {
		return nil, errServer
	}
	return u, nil
}

// IsLoopback reports whether a mail server is on this machine: there TLS protects nothing.
func IsLoopback(server *url.URL) bool {
	return baseurl.IsLoopback(server.Hostname())
}

// Message is a mail to one address.
type Message struct {
	// ID is the part of the Message-ID before the @. Every try of a message has the same one, by which mail programs know a repeat.
	ID string
	To string
	Letter
}

// sender hands messages to a mail server.
type sender struct {
	Server
	url *url.URL
	// plain says that no TLS is asked for.
	plain bool
	tls   *tls.Config
}

func newSender(server Server) (*sender, error) {
	u, err := ParseServer(server.URL)
	if err != nil {
		return nil, err
	}
	return &sender{Server: server, url: u, plain: u.Scheme == "smtp" && IsLoopback(u),
		tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}}, nil
}

// Send hands a message to the server at once, and returns what it said. An error holds neither a password nor a link's token.
func Send(ctx context.Context, server Server, m Message) (said string, err error) {
	s, err := newSender(server)
	if err != nil {
		return "", err
	}
	return s.send(ctx, m)
}

// send is Send. Its error is an outbox.RefusedError for a message that the server will never take.
func (s *sender) send(ctx context.Context, m Message) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	message, err := s.message(m)
	if err != nil {
		return "", &outbox.RefusedError{Err: err}
	}
	client, err := s.client(ctx)
	if err != nil {
		return "", err
	}
	err = client.DialAndSendWithContext(ctx, message)
	if message.IsDelivered() { // whatever became of the connection afterwards
		return s.clean(message.ServerResponse()), nil
	}
	final := false
	if refused, ok := errors.AsType[*smtp.SendError](err); ok {
		final = refused.ErrorCode() >= 500
	}
	err = errors.New(s.clean(innermost(err).Error()))
	if final {
		err = &outbox.RefusedError{Err: err}
	}
	return "", err
}

// innermost is what a server or the network said, without the library's words around it, which have the address.
func innermost(err error) error {
	if refused, ok := errors.AsType[*smtp.SendError](err); ok {
		text, _, _ := strings.Cut(refused.Error(), ", affected ")
		if _, said, found := strings.Cut(text, ": "); found {
			text = said
		}
		return errors.New(text)
	}
	return err
}

// token looks like the token of a link.
var token = regexp.MustCompile(`[A-Za-z0-9_-]{43}`)

// clean makes one short line of what a server said. A server may quote what it was sent.
func (s *sender) clean(text string) string {
	if password, ok := s.url.User.Password(); ok {
		text = strings.ReplaceAll(text, password, "…")
	}
	text = token.ReplaceAllString(text, "…")
	line := []rune(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " "))
	return string(line[:min(len(line), maxSaid)])
}

// client is good for one message. The context's end closes its connection.
func (s *sender) client(ctx context.Context) (*smtp.Client, error) {
	policy, port := smtp.TLSMandatory, 587
	options := []smtp.Option{smtp.WithTLSConfig(s.tls), smtp.WithTimeout(stepWithin)}
	switch {
	case s.url.Scheme == "smtps":
		port = 465
		options = append(options, smtp.WithSSL())
	case s.plain:
		policy = smtp.NoTLS
	}
	if given := s.url.Port(); given != "" {
		port, _ = strconv.Atoi(given) // ParseServer has read it
	}
	options = append(options, smtp.WithTLSPolicy(policy), smtp.WithPort(port), smtp.WithDialContextFunc(s.dial(ctx)))
	if s.url.User != nil {
		auth := smtp.SMTPAuthAutoDiscover
		if s.plain {
			auth = smtp.SMTPAuthPlainNoEnc
		}
		password, _ := s.url.User.Password()
		options = append(options, smtp.WithSMTPAuth(auth), smtp.WithUsername(s.url.User.Username()), smtp.WithPassword(password))
	}
	return smtp.NewClient(s.url.Hostname(), options...)
}

func (s *sender) dial(whole context.Context) smtp.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(whole, func() { _ = conn.Close() })
		if s.url.Scheme != "smtps" {
			return conn, nil
		}
		secure := tls.Client(conn, s.tls)
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return secure, nil
	}
}

// message is plain text with an HTML twin. It says that a program wrote it, so that no other one answers, and not which.
func (s *sender) message(m Message) (*smtp.Msg, error) {
	text, html, err := m.bodies()
	if err != nil {
		return nil, err
	}
	out := smtp.NewMsg(smtp.WithNoDefaultUserAgent())
	out.FromMailAddress(s.From)
	if s.ReplyTo != nil {
		out.ReplyToMailAddress(s.ReplyTo)
	}
	if err := out.To(m.To); err != nil {
		return nil, fmt.Errorf("the address cannot be written to: %w", err)
	}
	out.Subject(m.Subject)
	out.SetMessageIDWithValue(m.ID + s.From.Address[strings.LastIndex(s.From.Address, "@"):])
	out.SetDate()
	out.SetGenHeader("Auto-Submitted", "auto-generated")
	out.SetBodyString(smtp.TypeTextPlain, text)
	out.AddAlternativeString(smtp.TypeTextHTML, html)
	return out, nil
}
