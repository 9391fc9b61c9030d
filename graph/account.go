package graph

import (
	"cmp"
	"context"
	"errors"
	"time"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/download"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
)

// updateAccount applies the given changes. Faults: Conflict when a user without a second factor
// requires one of all members; reauthenticationRequired.
func (r *Resolver) updateAccount(
	ctx context.Context,
	input model.UpdateAccountInput,
) (*account.Account, error) {
	var bad []fault.Field
	changes := accounts.AccountChange{
		UserID:              principal(ctx).UserID,
		Reauthenticated:     principal(ctx).Reauthenticated,
		RequireSecondFactor: input.RequireSecondFactor.Value(),
		LowCreditsAt:        change(input.LowCreditsAt),
		RetentionDays:       change(input.RetentionDays),
	}
	if input.RequireSecondFactor.IsSet() && changes.RequireSecondFactor == nil {
		bad = append(bad, fault.Field{Path: "requireSecondFactor", Reason: fault.Missing,
			Message: "It is true or false; it cannot be cleared."})
	}
	if input.Name.IsSet() {
		name, err := accountName(input.Name.Value())
		if f, ok := errors.AsType[*fault.Error](err); ok {
			bad = append(bad, f.Fields...)
		}
		changes.Name = &name
	}
	for _, err := range []error{
		account.CheckLowCredits(changes.LowCreditsAt.Value),
		account.CheckRetention(changes.RetentionDays.Value, r.info.RetentionDays),
	} {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			bad = append(bad, f.Fields...)
		}
	}
	if len(bad) > 0 {
		return nil, fault.Invalid(bad...)
	}
	if changes.Name == nil && changes.RequireSecondFactor == nil && !changes.LowCreditsAt.Set &&
		!changes.RetentionDays.Set {
		return viewer(ctx), nil
	}
	changed, err := accounts.On(r.store).UpdateAccount(ctx, owner(ctx), changes)
	if errors.Is(err, accounts.ErrReauthenticate) {
		err = staleReauthentication()
	}
	return &changed, err
}

func accountName(given *string) (string, error) {
	if given == nil {
		return "", fault.Invalid(fault.Field{Path: "name", Reason: fault.Missing,
			Message: "An account needs a name; it cannot be cleared."})
	}
	return account.ParseName(*given)
}

// rejectedRequestDays returns the number of whole days for which details of rejected requests are
// kept.
func (r *Resolver) rejectedRequestDays(a *account.Account) int {
	days := max(1, int(r.info.RefusedRetention/(24*time.Hour)))
	if own := a.RetentionDays; own != nil { // see erasure.PurgeIdleRejected
		days = min(days, *own, cmp.Or(r.info.RetentionDays, *own))
	}
	return days
}

// retentionPreview counts the conversations that a retention would delete. Faults: roleForbids,
// InvalidInput.
func (r *Resolver) retentionPreview(ctx context.Context, a *account.Account, days int,
) (*model.RetentionPreview, error) {
	if err := mayUse(ctx, "Account.retentionPreview"); err != nil {
		return nil, err
	}
	if days < 1 || days > account.MaxRetentionDays {
		return nil, fault.Invalid(account.RetentionField("days", account.MaxRetentionDays))
	}
	n, more, err := erasure.On(r.store).CountIdle(ctx, a.ID, days, r.info.RetentionDays)
	return &model.RetentionPreview{Conversations: n, More: more}, err
}

// createAccountDownload makes a link to the account's data. Fault: RateLimited.
func (r *Resolver) createAccountDownload(ctx context.Context,
) (*model.CreateAccountDownloadPayload, error) {
	token, expiresAt, err := r.identity.NewDownload(ctx, principal(ctx))
	if err == nil {
		err = audit.On(r.store).RecordRead(ctx, owner(ctx), owner(ctx).String())
	}
	if err != nil {
		return nil, err
	}
	return &model.CreateAccountDownloadPayload{
		URL:       download.Link(r.info.BaseURL, token),
		ExpiresAt: expiresAt,
	}, nil
}
