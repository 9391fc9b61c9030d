// Package mail sends the service's email: it writes the messages, sends them to a mail server, and
// processes the outbox in the background.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"agentchat/internal/baseurl"
	"agentchat/internal/outbox"
)

// Server is the mail server and the sender's addresses. ParseServer must accept URL.
type Server struct {
	URL  string
	From *mail.Address
	// ReplyTo is the address for replies; nil for From.
	ReplyTo *mail.Address
}

// errServer describes the URL's format. It does not quote the URL, because that contains a
// password.
var errServer = errors.New("is not the URL of a mail server: write it like smtp://user:password@mail.example.com:587, or smtps:// " +
	"for TLS from the first byte, with special characters percent-encoded")

// ParseServer parses the URL of a mail server. Its error completes a sentence that begins with the
// setting's name, and does not quote the URL.
func ParseServer(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" ||
		u.Opaque != "" || strings.Trim(u.Path, "/") != "" ||
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

// IsLoopback reports whether a mail server is on this machine, where TLS protects nothing.
func IsLoopback(server *url.URL) bool {
	return baseurl.IsLoopback(server.Hostname())
}

// Message is an email to one address.
type Message struct {
	// ID is the part of the Message-ID before the @. It is the same for all attempts, so that mail
	// programs recognize duplicates.
	ID string
	To string
	Letter
}

// sender sends messages to a mail server.
type sender struct {
	Server
	url *url.URL
	// loopback means that TLS is optional and the certificate is not checked.
	loopback bool
	tls      *tls.Config
}

func newSender(server Server) (*sender, error) {
	u, err := ParseServer(server.URL)
	if err != nil {
		return nil, err
	}
	loopback := IsLoopback(u)
	return &sender{
		Server:   server,
		url:      u,
		loopback: loopback,
		tls: &tls.Config{
			ServerName:         u.Hostname(),
			MinVersion:         tls.VersionTLS12,
			InsecureSkipVerify: loopback, //nolint:gosec // the connection stays on this machine
		},
	}, nil
}

// Send sends a message to the server at once, and returns the server's response. An error contains
// neither a password nor a link's token.
func Send(ctx context.Context, server Server, m Message) (said string, err error) {
	s, err := newSender(server)
	if err != nil {
		return "", err
	}
	return s.send(ctx, m)
}

// send is Send. Its error is an outbox.RefusedError if the server will never accept the message.
func (s *sender) send(ctx context.Context, m Message) (said string, err error) {
	message, err := s.message(m)
	if err != nil {
		return "", &outbox.RefusedError{Err: err}
	}
	said, err = s.deliver(ctx, m.To, message)
	return s.clean(said), err
}

// message builds an email with a text and an HTML part. A header marks it as automatic, so that
// other programs do not reply. It does not name this program.
func (s *sender) message(m Message) (*gomail.Msg, error) {
	text, html, err := m.bodies()
	if err != nil {
		return nil, err
	}
	out := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	out.FromMailAddress(s.From)
	if s.ReplyTo != nil {
		out.ReplyToMailAddress(s.ReplyTo)
	}
	if err := out.To(m.To); err != nil {
		return nil, fmt.Errorf("the address is not usable: %w", err)
	}
	out.Subject(m.Subject)
	out.SetMessageIDWithValue(m.ID + s.From.Address[strings.LastIndex(s.From.Address, "@"):])
	out.SetDate()
	out.SetGenHeader("Auto-Submitted", "auto-generated")
	out.SetBodyString(gomail.TypeTextPlain, text)
	out.AddAlternativeString(gomail.TypeTextHTML, html)
	return out, nil
}
