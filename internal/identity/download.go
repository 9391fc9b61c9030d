package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

const (
	// maxDownloads is the most links to download an account that are made within downloadWindow.
	maxDownloads   = 10
	downloadWindow = 24 * time.Hour
	// downloadLifetime is the time for which a link works.
	downloadLifetime = time.Minute
)

// DownloadRefused is the fault of a link that is invalid or no longer works.
const DownloadRefused fault.Kind = "forbidden"

// NewDownload returns the token of a link with which the user can download the account. Fault:
// RateLimited over maxDownloads.
func (s *Service) NewDownload(ctx context.Context, p auth.Principal) (string, time.Time, error) {
	key := s.cfg.Tokens.ThrottleKey("downloads", p.AccountID.String())
	a, err := throttles.On(s.cfg.Store).Throttle(ctx, key, uuid.Nil, maxDownloads, downloadWindow)
	if err == nil && !a.Allowed {
		err = &fault.Error{Kind: fault.RateLimited, RetryAfter: a.RetryAfter,
			Message: "This account can be downloaded 10 times a day. Try again later."}
	}
	if err != nil {
		return "", time.Time{}, err
	}
	d := auth.Download{
		AccountID: p.AccountID,
		UserID:    p.UserID,
		SignInID:  p.SignInID,
		ExpiresAt: a.At.Add(downloadLifetime).UTC(),
	}
	return s.cfg.Tokens.MintDownload(d), d.ExpiresAt, nil
}

// Download returns what the token of a link allows. Fault: DownloadRefused if the token has expired
// or is not valid, and those of MayDownload.
func (s *Service) Download(ctx context.Context, token string) (auth.Download, error) {
	d, ok := s.cfg.Tokens.ParseDownload(token)
	if !ok {
		return auth.Download{}, refusedDownload(nil)
	}
	now, err := s.mayDownload(ctx, d)
	if err == nil && !now.Before(d.ExpiresAt) {
		err = refusedDownload(nil)
	}
	return d, err
}

// MayDownload checks that the sign-in of a download is still an owner's. Fault: DownloadRefused.
func (s *Service) MayDownload(ctx context.Context, d auth.Download) error {
	_, err := s.mayDownload(ctx, d)
	return err
}

func (s *Service) mayDownload(ctx context.Context, d auth.Download) (now time.Time, err error) {
	ctx = store.ForAccount(ctx, d.AccountID)
	active, err := users.On(s.cfg.Store.Panel()).SignInActive(ctx, d.UserID, d.SignInID, d.AccountID)
	switch {
	case fault.Is(err, fault.Unauthorized):
		return active.Now, refusedDownload(err)
	case err != nil:
		return active.Now, err
	case active.Account.ID != d.AccountID, active.Account.State != account.Active,
		active.Role != account.Owner, s.needsSecondFactor(active.Account, active.SecondFactor):
		return active.Now, refusedDownload(nil)
	}
	return active.Now, nil
}

func refusedDownload(err error) error {
	return &fault.Error{Kind: DownloadRefused, Err: err, Message: "This link has expired, or its creator " +
		"may not download this account. Make a new link in the control panel, under Settings, Data."}
}
