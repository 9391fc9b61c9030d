// Package identity decides who may use the control panel: signing up, in and out, renewing access, and the password. It uses only
// the database's clock, so that replicas agree whatever their own clocks say.
//
// Faults of every method, besides those it names: Unavailable when the database is away, or the client left while it waited for a
// password hash; Internal for anything unforeseen.
package identity

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

// Limits on attempts, each over all replicas.
const (
	// MaxGuesses is how many wrong passwords are checked for one address, or through one sign-in, within GuessWindow.
	MaxGuesses  = 10
	GuessWindow = 15 * time.Minute
	// MaxWrong is how many wrong passwords may come from one network within GuessWindow, whatever the accounts: enough for an office
	// or a mobile carrier, whose right ones are not counted, and too few to try one password on many accounts. Known browsers are
	// not bound by it.
	MaxWrong = 30
	// MaxSignUps is how many sign-ups one client address may try within SignUpWindow.
	MaxSignUps   = 10
	SignUpWindow = time.Hour
	// MaxSignIns is the most sign-ins of one user with the right password within SignInWindow. Each adds an entry to the audit trail.
	MaxSignIns   = 600
	SignInWindow = time.Hour
)

// maxBrowser is how many characters of a User-Agent are kept.
const maxBrowser = 100

const (
	purgeEvery = 10 * time.Minute
	purgeBatch = 500
	// Failed sign-ins are in the audit trail within a minute. An attempt takes much less than settledAfter until it has failed or is
	// given back.
	recordEvery  = 20 * time.Second
	settledAfter = 30 * time.Second
	// lastRecord bounds what is recorded when the process ends.
	lastRecord = 5 * time.Second
)

// Config configures a Service. Store, Hasher and Tokens are required.
type Config struct {
	Store  *store.DB
	Hasher *auth.Hasher
	Tokens *auth.Tokens
	// SignUpOpen reports whether anybody may open an account; otherwise only the operator does.
	SignUpOpen func() bool
	// StartingCredits are granted to an account that signs up, once per address.
	StartingCredits int64
	// RequireSecondFactor says that everybody has to set up a second factor before anything else.
	RequireSecondFactor bool
	// Mail says that what is put into the outbox is sent; else SupportContact is whom to ask for a new password.
	Mail           bool
	SupportContact string
	// RefusalDelay is how long the refusal of a sign-in or sign-up over its limit takes; 0 means a second.
	RefusalDelay time.Duration
	// Logger gets failures of background work; nil discards them.
	Logger *slog.Logger
}

// Service implements the use cases. It is safe for concurrent use.
type Service struct {
	cfg        Config
	hashQueues *hashQueues
	// known hashes the passwords of known browsers and signed-in users, so that they do not wait behind strangers.
	known *auth.Hasher
	used  usedTokens
}

// SignUpOpen reports whether anybody may open an account now.
func (s *Service) SignUpOpen() bool { return s.cfg.SignUpOpen() }

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{cfg: cfg, hashQueues: newHashQueues(cmp.Or(cfg.RefusalDelay, refusalDelay)), known: auth.NewSmallHasher()}
}

// Client describes the program that sent the request.
type Client struct {
	// Address is where the request came from.
	Address netip.Addr
	// Browser is the User-Agent as it was sent; it is cleaned and shortened before it is stored.
	Browser string
	// KnownBrowser is the mark that an earlier sign-in left in the browser; empty without one.
	KnownBrowser string
	// RefreshToken is the browser's, of the sign-in that a new one takes the place of; empty without one.
	RefreshToken string
}

// browser returns the part of the User-Agent that is stored: at most 100 printable characters.
func (c Client) browser() string {
	var kept []rune
	for _, r := range c.Browser {
		if len(kept) == maxBrowser {
			break
		}
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			kept = append(kept, r)
		}
	}
	return strings.TrimSpace(string(kept))
}

// address returns the address in its usual notation, "" if it is not known.
func (c Client) address() string {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.Unmap().WithZone("").String()
}

// network returns what limits count as one client: an IPv4 address, or the /64 of an IPv6 address, the smallest network that a
// subscriber gets (RFC 6177).
func (c Client) network() string {
	a := c.Address.Unmap().WithZone("")
	if a.Is6() {
		return netip.PrefixFrom(a, 64).Masked().String()
	}
	return c.address()
}

// SignedIn is a sign-in with fresh tokens.
type SignedIn struct {
	Account   account.Account
	Principal auth.Principal
	// AccessToken is for the Authorization header; it expires at ExpiresAt.
	AccessToken string
	ExpiresAt   time.Time
	// RefreshToken belongs only in a cookie; it expires at RefreshExpiresAt unless it is renewed before.
	RefreshToken     string
	RefreshExpiresAt time.Time
	// KnownBrowser is a mark for the browser to keep, in a cookie that outlives the sign-in.
	KnownBrowser string
}

func (s *Service) signedIn(opened users.Opened, signInID uuid.UUID, refreshToken string) SignedIn {
	p := auth.Principal{UserID: opened.UserID, AccountID: opened.Account.ID, SignInID: signInID, Role: opened.Role}
	out := SignedIn{Account: opened.Account, Principal: p,
		RefreshToken: refreshToken, RefreshExpiresAt: opened.RenewBefore,
		KnownBrowser: s.cfg.Tokens.MintKnownBrowser(opened.UserID)}
	out.AccessToken, out.ExpiresAt = s.cfg.Tokens.IssueAccess(opened.UserID, signInID, opened.Now)
	return out
}

// Does is what a signed-in user does, for the audit trail.
func (c Client) Does(action string, fields ...string) audit.AuditEntry {
	return audit.AuditEntry{Actor: audit.ByUser, Action: action, Fields: fields, Address: c.address(), Browser: c.browser()}
}

// mint returns a new sign-in for the client, to be stored, and its first refresh token.
func (s *Service) mint(client Client) (users.NewSignIn, string) {
	id := uuid.Must(uuid.NewV7())
	token := s.cfg.Tokens.MintRefresh(id, 1)
	before, _ := s.cfg.Tokens.ParseRefresh(client.RefreshToken)
	return users.NewSignIn{ID: id, RefreshHash: auth.RefreshHash(token), Browser: client.browser(), Address: client.address(),
		Replaces: before.SignInID}, token
}

// attempt counts one attempt, at a sign-in of the user unless that is uuid.Nil. Fault: RateLimited with RetryAfter.
func (s *Service) attempt(ctx context.Context, key [32]byte, userID uuid.UUID, limit int, window time.Duration,
) (giveBack func() error, err error) {
	a, err := throttles.On(s.cfg.Store).Throttle(ctx, key, userID, limit, window)
	if err != nil {
		return nil, err
	}
	if !a.Allowed {
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: a.RetryAfter,
			Message: "Too many attempts. Wait a while, then try again."}
	}
	return func() error { return throttles.On(s.cfg.Store).GiveBack(ctx, key, a.At) }, nil
}

// Run calls Reencrypt, Purge, RecordFailures and RecordTokenUse regularly until the context ends, and the last one once more. It always
// returns nil.
func (s *Service) Run(ctx context.Context) error {
	record, purge := time.NewTicker(recordEvery), time.NewTicker(purgeEvery)
	defer record.Stop()
	defer purge.Stop()
	try := func(what string, work func(context.Context) error) {
		if err := work(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, what+" failed; it will be tried again", slog.String("error", err.Error()))
		}
	}
	tidy := func() {
		// Also later: while replicas change over to a new secret, one with the old one may still set factors up.
		try("reencrypting second factors", s.Reencrypt)
		try("purging sign-ins", s.Purge)
	}
	tidy()
	for {
		select {
		case <-record.C:
			try("recording failed sign-ins", s.RecordFailures)
			try("recording the use of tokens", s.RecordTokenUse)
		case <-purge.C:
			tidy()
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRecord)
			defer cancel()
			_ = s.RecordTokenUse(last)
			return nil
		}
	}
}

// RecordFailures puts failed sign-ins into the audit trail: one entry for each user and hour, over all replicas.
func (s *Service) RecordFailures(ctx context.Context) error {
	return audit.On(s.cfg.Store).RecordFailedSignIns(ctx, settledAfter)
}

// Purge removes expired sign-ins, counts of attempts, links and invitations, messages that ended long ago, and, past store.AuditKept,
// entries of the audit trail and expired account tokens, in batches.
func (s *Service) Purge(ctx context.Context) error {
	db := s.cfg.Store
	for _, batch := range []func(context.Context, int) (int, error){users.On(db).PurgeSignIns, throttles.On(db).PurgeThrottles,
		users.On(db).PurgeLinks, accounts.On(db).PurgeInvitations, notifications.On(db).PurgeOutbox, audit.On(db).PurgeAudit, accounts.On(db).PurgeTokens} {
		for {
			n, err := batch(ctx, purgeBatch)
			if err != nil {
				return err
			}
			if n < purgeBatch {
				break
			}
		}
	}
	return nil
}

// hashFault turns an error of the Hasher into a fault: Unavailable if the client left, Internal for a malformed stored hash.
func hashFault(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.Unavailable, err)
	}
	return fault.Wrap(fault.Internal, err)
}

// mergeInvalid merges InvalidInput faults into one with all their fields; any other error is returned instead.
func mergeInvalid(errs ...error) error {
	var all []fault.Field
	for _, err := range errs {
		f, ok := errors.AsType[*fault.Error](err)
		switch {
		case err == nil:
		case ok && f.Kind == fault.InvalidInput:
			all = append(all, f.Fields...)
		default:
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	return fault.Invalid(all...)
}

// requirePassword returns an InvalidInput fault for an empty password.
func requirePassword(path, password string) error {
	if password != "" {
		return nil
	}
	return fault.Invalid(fault.Field{Path: path, Reason: fault.Missing, Message: "The password is required."})
}
