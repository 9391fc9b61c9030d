package main

import (
	"context"
	"errors"
	"fmt"

	"agentchat/internal/credit"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
)

// creditsGrantCmd is `agentchat credits grant`.
type creditsGrantCmd struct {
	accountShowCmd
	actingOperator
	Amount    int64     `required:"" placeholder:"N" min:"1" max:"9007199254740991" help:"The credits to add, at least 1."`
	Note      entryNote `required:"" placeholder:"TEXT" help:"What the account's owner reads in the credit history."`
	Reference reference `required:"" placeholder:"TEXT" help:"A reference such as an invoice number. Each is granted once."`
}

// Run grants the credits and prints the balance.
func (c *creditsGrantCmd) Run(ctx context.Context, out *output) error {
	ctx, err := c.acting(ctx, "credits grant")
	if err != nil {
		return err
	}
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		granted, err := credits.On(db.DB).GrantCredits(ctx, credits.Grant{
			AccountID: found.ID, Amount: c.Amount, Note: string(c.Note), Reference: string(c.Reference),
		})
		if err != nil {
			return noAccount(err, found.Email)
		}
		text := fmt.Sprintf("%d credits granted to %s; the balance is %d.", c.Amount, found.Email,
			granted.Balance)
		if granted.Repeated {
			text = fmt.Sprintf("Nothing granted: %s already had a grant with this reference; the balance is %d.",
				found.Email, granted.Balance)
		}
		return out.result(text, map[string]any{
			"email": found.Email, "amount": c.Amount, "balance": granted.Balance, "repeated": granted.Repeated,
		})
	})
}

// entryNote is the note of an entry of the credit history.
type entryNote string

// UnmarshalText checks the note.
func (n *entryNote) UnmarshalText(text []byte) error {
	if !credit.IsNote(string(text)) {
		return errors.New(credit.NoteRule)
	}
	*n = entryNote(text)
	return nil
}

// reference is the reference of an entry of the credit history.
type reference string

// UnmarshalText checks the reference and trims white space around it.
func (r *reference) UnmarshalText(text []byte) error {
	parsed, ok := credit.ParseReference(string(text))
	if !ok {
		return errors.New(credit.ReferenceRule)
	}
	*r = reference(parsed)
	return nil
}

// creditsAdjustCmd is `agentchat credits adjust`.
type creditsAdjustCmd struct {
	accountShowCmd
	actingOperator
	Amount    int64     `required:"" placeholder:"N" min:"-9007199254740991" max:"9007199254740991" help:"The credits to add, or to take away with a minus: --amount=-5."` //nolint:lll // one tag
	Note      entryNote `required:"" placeholder:"TEXT" help:"What the account's owner reads in the credit history."`
	Reference reference `required:"" placeholder:"TEXT" help:"A reference such as an invoice number. Each is applied once."`
}

// Run corrects the balance and prints it.
func (c *creditsAdjustCmd) Run(ctx context.Context, out *output) error {
	ctx, err := c.acting(ctx, "credits adjust")
	if err != nil {
		return err
	}
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		done, err := credits.On(db.DB).GrantCredits(ctx, credits.Grant{
			AccountID: found.ID, Adjustment: true, Amount: c.Amount, Note: string(c.Note), Reference: string(c.Reference),
		})
		if err != nil {
			return noAccount(err, found.Email)
		}
		text := fmt.Sprintf("The balance of %s is adjusted by %+d credits; it is %d.", found.Email,
			c.Amount, done.Balance)
		if done.Repeated {
			text = fmt.Sprintf("Nothing changed: %s already had an adjustment with this reference; the balance is %d.",
				found.Email, done.Balance)
		}
		return out.result(text, map[string]any{
			"email": found.Email, "amount": c.Amount, "balance": done.Balance, "repeated": done.Repeated,
		})
	})
}
