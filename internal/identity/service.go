// Package identity authenticates the users of the control panel: sign-up, sign-in, sign-out,
// renewal of access, passwords and second factors. It uses only the database's clock, so that
// replicas agree even if their own clocks differ.
//
// Every method has these faults besides those it names: Unavailable when the database cannot be
// reached, or the client left while it waited for a password hash; Internal for anything
// unforeseen.
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
	"agentchat/internal/store/webhooks"
)

// Limits on attempts, counted over all replicas.
const (
	// MaxGuesses is the most wrong passwords that are checked for one address, or through one sign-in,
	// within GuessWindow.
	MaxGuesses  = 10
	GuessWindow = 15 * time.Minute
	// MaxWrong is the most wrong passwords from one network within GuessWindow, over all accounts. It
	// is enough for an office or a mobile carrier, because right passwords do not count, and too few
	// to try one password on many accounts. It does not apply to known browsers.
	MaxWrong = 30
	// MaxSignUps is the most sign-up attempts of one client address within SignUpWindow.
	MaxSignUps   = 10
	SignUpWindow = time.Hour
	// MaxSignIns is the most sign-ins of one user with the right password within SignInWindow. Each
	// adds an entry to the audit trail.
	MaxSignIns   = 600
	SignInWindow = time.Hour
)

// maxBrowser is the length of the stored part of a User-Agent, in characters.
const maxBrowser = 100

const (
	purgeEvery = 10 * time.Minute
	purgeBatch = 500
	// With recordEvery and settledAfter, failed sign-ins are in the audit trail within a minute. An
	// attempt fails or is given back long before settledAfter.
	recordEvery  = 20 * time.Second
	settledAfter = 30 * time.Second
	// lastRecord bounds the recording when the process ends.
	lastRecord = 5 * time.Second
)

// Config configures a Service. Store, Hasher and Tokens are required.
type Config struct {
	Store  *store.DB
	Hasher *auth.Hasher
	Tokens *auth.Tokens
	// SignUpOpen reports whether anyone may open an account, or only the operator.
	SignUpOpen func() bool
	// StartingCredits is granted to an account that signs up, once per address.
	StartingCredits int64
	// RequireSecondFactor makes every user set up a second factor before anything else.
	RequireSecondFactor bool
	// Mail means that the mails in the outbox are sent. Without it, SupportContact tells users how to
	// get a new password.
	Mail           bool
	SupportContact string
	// RefusalDelay is the time that refusing a sign-in or sign-up over its limit takes; 0 means a
	// second.
	RefusalDelay time.Duration
	// Logger logs failures of background work; nil discards them.
	Logger *slog.Logger
}

// Service implements the use cases. It is safe for concurrent use.
type Service struct {
	cfg        Config
	hashQueues *hashQueues
	// known hashes the passwords of known browsers and signed-in users, so that they do not wait for
	// unknown clients.
	known *auth.Hasher
	used  usedTokens
}

// SignUpOpen reports whether anyone may open an account now.
func (s *Service) SignUpOpen() bool { return s.cfg.SignUpOpen() }

// StartingCredits returns the credits of an account that signs up, once per address.
func (s *Service) StartingCredits() int64 { return s.cfg.StartingCredits }

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{
		cfg:        cfg,
		hashQueues: newHashQueues(cmp.Or(cfg.RefusalDelay, refusalDelay)),
		known:      auth.NewSmallHasher(),
	}
}

// Client describes the program that sent the request.
type Client struct {
	// Address is the IP address of the client.
	Address netip.Addr
	// Browser is the unmodified User-Agent; it is cleaned and shortened before it is stored.
	Browser string
	// KnownBrowser is the mark that an earlier sign-in left in the browser; empty without one.
	KnownBrowser string
	// RefreshToken is the browser's refresh token; empty without one. A new sign-in replaces its
	// sign-in.
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

// address returns the address in its usual notation, and "" if it is unknown.
func (c Client) address() string {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.Unmap().WithZone("").String()
}

// network returns the network that limits count as one client: an IPv4 address, or the /64 of an
// IPv6 address, the smallest network that a subscriber gets (RFC 6177).
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
	// RefreshToken belongs only in a cookie; it expires at RefreshExpiresAt unless it is renewed
	// before.
	RefreshToken     string
	RefreshExpiresAt time.Time
	// KnownBrowser is the browser's mark, for a cookie that outlives the sign-in.
	KnownBrowser string
}

func (s *Service) signedIn(opened users.Opened, signInID uuid.UUID, refreshToken string) SignedIn {
	out := SignedIn{
		Account: opened.Account,
		Principal: auth.Principal{
			UserID: opened.UserID, AccountID: opened.Account.ID, SignInID: signInID, Role: opened.Role,
		},
		RefreshToken:     refreshToken,
		RefreshExpiresAt: opened.RenewBefore,
		KnownBrowser:     s.cfg.Tokens.MintKnownBrowser(opened.UserID),
	}
	out.AccessToken, out.ExpiresAt = s.cfg.Tokens.IssueAccess(opened.UserID, signInID, opened.Now)
	return out
}

// Does returns the audit entry of an action by a user.
func (c Client) Does(action string, fields ...string) audit.Entry {
	return audit.Entry{
		Actor:   audit.ByUser,
		Action:  action,
		Fields:  fields,
		Address: c.address(),
		Browser: c.browser(),
	}
}

// mint returns a new sign-in for the client, not yet stored, and its first refresh token.
func (s *Service) mint(client Client) (users.NewSignIn, string) {
	id := uuid.Must(uuid.NewV7())
	token := s.cfg.Tokens.MintRefresh(id, 1)
	before, _ := s.cfg.Tokens.ParseRefresh(client.RefreshToken)
	return users.NewSignIn{
		ID:          id,
		RefreshHash: auth.RefreshHash(token),
		Browser:     client.browser(),
		Address:     client.address(),
		Replaces:    before.SignInID,
	}, token
}

// attempt counts one attempt. The user is set when it is an attempt to sign in as that user, and
// uuid.Nil otherwise. giveBack takes the attempt back. Fault: RateLimited with RetryAfter.
func (s *Service) attempt(
	ctx context.Context, key [32]byte, userID uuid.UUID, limit int, window time.Duration,
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

// Run calls Reencrypt, Purge, RecordFailures and RecordTokenUse regularly until the context ends,
// and then RecordTokenUse once more. It always returns nil.
func (s *Service) Run(ctx context.Context) error {
	record, purge := time.NewTicker(recordEvery), time.NewTicker(purgeEvery)
	defer record.Stop()
	defer purge.Stop()
	try := func(what string, work func(context.Context) error) {
		if err := work(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, what+" failed and will be retried",
				slog.String("error", err.Error()))
		}
	}
	tidy := func() {
		// Not only at start: during the change to a new secret, replicas with the old one still encrypt.
		try("reencrypting second factors and webhooks", s.Reencrypt)
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

// RecordFailures adds failed sign-ins to the audit trail: one entry per user and hour, over all
// replicas.
func (s *Service) RecordFailures(ctx context.Context) error {
	return audit.On(s.cfg.Store).RecordFailedSignIns(ctx, settledAfter)
}

// Purge removes, in batches: expired sign-ins, counts of attempts, links and invitations; messages
// of the outbox that ended long ago; and, after audit.Retention, audit entries and expired account
// tokens.
func (s *Service) Purge(ctx context.Context) error {
	db := s.cfg.Store
	for _, batch := range []func(context.Context, int) (int, error){
		users.On(db).PurgeSignIns,
		throttles.On(db).PurgeThrottles,
		users.On(db).PurgeLinks,
		accounts.On(db).PurgeInvitations,
		notifications.On(db).PurgeOutbox,
		webhooks.On(db).Purge,
		audit.On(db).Purge,
		accounts.On(db).PurgeTokens,
	} {
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

// hashFault turns an error of the Hasher into a fault: Unavailable if the client left, Internal for
// a malformed stored hash.
func hashFault(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.Unavailable, err)
	}
	return fault.Wrap(fault.Internal, err)
}

// mergeInvalid merges InvalidInput faults into one with all their fields. It returns any other
// error unchanged.
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
	return fault.Invalid(
		fault.Field{Path: path, Reason: fault.Missing, Message: "The password is required."})
}
