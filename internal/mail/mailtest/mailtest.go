// Package mailtest is a mail server for tests that can simulate faults.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// User and Password are the server's only valid credentials.
const (
	User     = "panel@example.com"
	Password = "p@ss/wörd" //nolint:gosec // only for tests
)

// ErrLost as a response accepts the message and then closes the connection, so that the client does
// not know the result.
var ErrLost = errors.New("lost")

// Refuse returns a response with a code like 451 or 550.
func Refuse(code int, said string) error {
	return &smtp.SMTPError{
		Code:         code,
		EnhancedCode: smtp.EnhancedCode{code / 100, 7, 1},
		Message:      said,
	}
}

// Message is a received email.
type Message struct {
	From, To   string
	Header     mail.Header
	Raw        string
	Text, HTML string
}

var link = regexp.MustCompile(`\S+#(?:\S+&)?token=(\S+)`)

// Token returns the token of the link in the text; "" without one.
func (m Message) Token() string {
	if found := link.FindStringSubmatch(m.Text); found != nil {
		return found[1]
	}
	return ""
}

// Server is a mail server on loopback.
type Server struct {
	Addr string

	mu     sync.Mutex
	answer func(Message) error
	// offers are the advertised mechanisms of AUTH, and used those that clients have started.
	offers, used []string
	// requiresTLS refuses mail and passwords before STARTTLS.
	requiresTLS bool
	came        []Message
	server      *smtp.Server
	listen      net.Listener
}

// Start starts a server that accepts all messages, until the test ends. With TLS it offers
// STARTTLS; with atOnce it speaks TLS from the first byte.
func Start(t *testing.T, secure *tls.Config, atOnce bool, options ...func(*Server)) *Server {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: listener.Addr().String(), offers: []string{sasl.Plain}}
	s.server = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: c}, nil
	}))
	s.server.Domain, s.server.AllowInsecureAuth, s.server.TLSConfig = "mail.example.com", true, secure
	s.server.ErrorLog = quiet{}
	for _, option := range options {
		option(s)
	}
	if atOnce {
		listener = tls.NewListener(listener, secure)
	}
	s.listen = listener
	go func() { _ = s.server.Serve(listener) }()
	t.Cleanup(s.Stop)
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// URL returns the server's URL, for SMTP_URL.
func (s *Server) URL() string { return "smtp://" + s.Addr }

// Stop stops the server and closes its connections.
func (s *Server) Stop() {
	_ = s.listen.Close() // the server may not be serving yet
	_ = s.server.Close()
}

// Answer sets the function whose result answers each message from now on: nil accepts it. A nil
// function accepts all messages.
func (s *Server) Answer(answer func(Message) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// Messages returns the accepted messages, in order.
func (s *Server) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message(nil), s.came...)
}

// Offer sets the mechanisms of AUTH, PLAIN by default. PLAIN and LOGIN work; all others refuse the
// client.
func Offer(mechanisms ...string) func(*Server) { return func(s *Server) { s.offers = mechanisms } }

// RequireTLS makes the server demand STARTTLS before mail and passwords.
func RequireTLS(s *Server) { s.requiresTLS, s.server.AllowInsecureAuth = true, false }

// Used returns the mechanisms that clients have started, in order.
func (s *Server) Used() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.used...)
}

type session struct {
	server   *Server
	conn     *smtp.Conn
	from, to string
}

func (*session) Reset()        {}
func (*session) Logout() error { return nil }

func (s *session) AuthMechanisms() []string { return s.server.offers }

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.used = append(s.server.used, mechanism)
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error {
			return check(user, password)
		}), nil
	case sasl.Login:
		return &login{}, nil
	default:
		return nil, smtp.ErrAuthFailed
	}
}

func check(user, password string) error {
	if user != User || password != Password {
		return smtp.ErrAuthFailed
	}
	return nil
}

// login asks for the user, then for the password. Package sasl only has the client.
type login struct{ user []byte }

// Next receives one of the client's responses; the first call has none.
func (l *login) Next(answer []byte) (challenge []byte, done bool, err error) {
	switch {
	case answer == nil:
		return []byte("Username:"), false, nil
	case l.user == nil:
		l.user = answer
		return []byte("Password:"), false, nil
	default:
		return nil, true, check(string(l.user), string(answer))
	}
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if _, secure := s.conn.TLSConnectionState(); s.server.requiresTLS && !secure {
		return &smtp.SMTPError{
			Code:         530,
			EnhancedCode: smtp.EnhancedCode{5, 7, 0},
			Message:      "Must issue a STARTTLS command first",
		}
	}
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := read(raw)
	if err != nil {
		return err
	}
	m.From, m.To = s.from, s.to
	s.server.mu.Lock()
	answer := s.server.answer
	s.server.mu.Unlock()
	if answer != nil {
		err = answer(m)
	}
	if err == nil || errors.Is(err, ErrLost) {
		s.server.mu.Lock()
		s.server.came = append(s.server.came, m)
		s.server.mu.Unlock()
	}
	if errors.Is(err, ErrLost) {
		_ = s.conn.Conn().Close()
	}
	return err
}

// read parses a message of two parts.
func read(raw []byte) (Message, error) {
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Message{}, err
	}
	m := Message{Header: parsed.Header, Raw: string(raw)}
	_, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return m, err
	}
	parts := multipart.NewReader(parsed.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return m, err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = string(body)
		} else {
			m.Text = strings.ReplaceAll(string(body), "\r\n", "\n")
		}
	}
}
