package identity_test

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

const (
	email    = "ada@example.com"
	password = "correct horse battery staple"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// bench has two replicas on one database.
type bench struct {
	*identity.Service
	second *identity.Service
	// unmailed is a replica without a mail server.
	unmailed   *identity.Service
	store      *store.DB
	tokens     *auth.Tokens
	statements *storetest.Statements
	log        *logText
}

// logText holds the log of the replicas and of the mail worker.
type logText struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write appends to the text.
func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns everything logged so far.
func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newBench(t *testing.T, change ...func(*identity.Config)) *bench {
	t.Helper()
	tokens, err := auth.NewTokens([]byte("a signing secret of 32 bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{tokens: tokens, statements: &storetest.Statements{}, log: &logText{}}
	logger := slog.New(slog.NewTextHandler(b.log, nil))
	url := storetest.URL(t)
	open := func() *store.DB {
		s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: b.statements, Logger: logger})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	service := func(s *store.DB, change ...func(*identity.Config)) *identity.Service {
		config := identity.Config{Store: s, Hasher: auth.NewHasher(), Tokens: tokens, SignUpOpen: func() bool { return true }, StartingCredits: 20,
			RefusalDelay: time.Millisecond, Logger: logger}
		for _, c := range change {
			c(&config)
		}
		return identity.New(config)
	}
	b.store = open()
	b.Service, b.second = service(b.store, change...), service(open(), change...)
	b.unmailed = service(b.store, append(change, func(c *identity.Config) { c.Mail = false })...)
	return b
}

// client returns a browser at an address, with the mark of a known browser or without.
func client(address string, mark ...string) identity.Client {
	c := identity.Client{Address: netip.MustParseAddr(address), Browser: "Browser/1.0"}
	if len(mark) > 0 {
		c.KnownBrowser = mark[0]
	}
	return c
}

var home = client("192.0.2.1")

// signUp opens the account that most tests use.
func (b *bench) signUp(t *testing.T) identity.SignedIn {
	t.Helper()
	return b.signUpAs(t, email)
}

func (b *bench) signUpAs(t *testing.T, address string) identity.SignedIn {
	t.Helper()
	session, err := b.unmailed.SignUp(t.Context(), identity.SignUpInput{Email: address, Password: password, Name: "Ada"}, home)
	if err != nil {
		t.Fatal(err)
	}
	return *session
}

func (b *bench) signIn(t *testing.T, c identity.Client) identity.SignedIn {
	t.Helper()
	session, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, c)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// authentic reports whether both replicas accept the access token.
func (b *bench) authentic(t *testing.T, token string) bool {
	t.Helper()
	_, _, err := b.Authenticate(t.Context(), token, uuid.Nil, home)
	_, _, second := b.second.Authenticate(t.Context(), token, uuid.Nil, home)
	if (err == nil) != (second == nil) {
		t.Errorf("the replicas do not agree: %v, %v", err, second)
	}
	if err != nil && !fault.Is(err, fault.Unauthorized) {
		t.Fatal(err)
	}
	return err == nil
}

func (b *bench) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := b.store.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// age moves all counted attempts into the past.
func (b *bench) age(t *testing.T, interval string) {
	t.Helper()
	b.exec(t, `UPDATE throttles SET hits = ARRAY(SELECT h - $1::interval FROM unnest(hits) h)`, interval)
}

func wantKind(t *testing.T, what string, err error, want fault.Kind) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

// holding returns a client with a refresh token.
func holding(refreshToken string) identity.Client {
	c := home
	c.RefreshToken = refreshToken
	return c
}

// confirm reauthenticates with the password.
func confirm(ctx context.Context, s *identity.Service, p auth.Principal, password string) error {
	_, err := s.Reauthenticate(ctx, p, identity.Reauthentication{Password: password}, home)
	return err
}
