package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentchat/internal/admin"
	"agentchat/internal/credit"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/usage"
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

// moment is a time as in RFC 3339, or the start (UTC) of a day such as 2026-01-31.
type moment struct{ time.Time }

// UnmarshalText reads a moment or a day.
func (m *moment) UnmarshalText(text []byte) (err error) {
	m.Time, err = admin.ParseMoment(string(text))
	return err
}

// usageDimensions is the value of --by.
type usageDimensions []usage.Dimension

// UnmarshalText reads names separated by commas.
func (u *usageDimensions) UnmarshalText(text []byte) (err error) {
	*u, err = admin.ParseDimensions(string(text), usage.ByAccount, usage.ByAgent,
		usage.ByModel, usage.ByDay)
	return err
}

// usageCmd is `agentchat usage`.
type usageCmd struct {
	databaseSettings
	From moment          `required:"" placeholder:"MOMENT" help:"The first day (UTC) like 2026-01-01, or moment like 2026-01-01T09:30:00Z."`
	To   moment          `required:"" placeholder:"MOMENT" help:"The day after the last, or the moment after the last."`
	By   usageDimensions `placeholder:"LIST" default:"account" help:"Some of account, agent, model and day, separated by commas."`
}

// Run prints the usage of all accounts.
func (c *usageCmd) Run(ctx context.Context, out *output) error {
	if !c.From.Before(c.To.Time) {
		return usagef("--to must be after --from: it is the first day or moment that does not count")
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		rows, err := usage.On(db.DB).AccountsUsage(ctx,
			usage.AccountsQuery{From: c.From.Time, To: c.To.Time, By: c.By})
		if err != nil {
			return err
		}
		lines, objects := make([]string, len(rows)), make([]map[string]any, len(rows))
		for i, row := range rows {
			objects[i] = admin.UsageOf(row, c.By)
			lines[i] = fmt.Sprintf("%s%d messages, %d failed, %d credits, %d tokens in, %d out",
				c.label(row),
				row.Messages, row.Failed, row.Credits, row.InputTokens, row.OutputTokens)
		}
		if len(lines) == 0 {
			lines = []string{"Nothing was used."}
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"rows": objects})
	})
}

// label returns the start of a row's line, its values in the dimensions.
func (c *usageCmd) label(row usage.AccountsUsageRow) (out string) {
	for _, dimension := range c.By {
		switch dimension {
		case usage.ByAccount:
			out += fmt.Sprintf("%s %s  ", row.Account, known(row.Email, "(deleted)"))
		case usage.ByAgent:
			out += fmt.Sprintf("%s %s  ", row.Agent, known(row.AgentName, "(deleted)"))
		case usage.ByModel:
			out += known(row.Model, "(unknown)") + "  "
		case usage.ByDay:
			out += row.Day.UTC().Format(time.DateOnly) + "  "
		}
	}
	return out
}

// known returns the text, or otherwise if it is missing.
func known(text *string, otherwise string) string {
	if text == nil || *text == "" {
		return otherwise
	}
	return *text
}
