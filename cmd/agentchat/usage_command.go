package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"agentchat/internal/admin"
	"agentchat/internal/store/usage"
)

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
	marginSettings
	From moment          `required:"" placeholder:"MOMENT" help:"The first day (UTC) like 2026-01-01, or moment like 2026-01-01T09:30:00Z."`
	To   moment          `required:"" placeholder:"MOMENT" help:"The day after the last, or the moment after the last."`
	By   usageDimensions `placeholder:"LIST" default:"account" help:"Some of account, agent, model and day, separated by commas."`

	Money bool `help:"Add provider costs, revenues and margins; see CREDIT_VALUE and the models file."`
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
			if c.Money {
				objects[i] = admin.MoneyOf(row, c.By, c.CreditValue.nano)
				lines[i] += money(row, admin.MarginOf(row, c.CreditValue.nano))
			}
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

// money returns the end of a row's line, its margin.
func money(row usage.AccountsUsageRow, margin admin.Margin) string {
	out := fmt.Sprintf(", %d cached", row.CachedTokens)
	if margin.Cost == nil {
		out += "; cost unknown"
	} else {
		out += "; cost " + dollars(big.NewInt(*margin.Cost))
	}
	if margin.Uncosted > 0 {
		out += fmt.Sprintf(", %d without a known cost", margin.Uncosted)
	}
	if margin.Revenue != nil {
		out += "; worth " + dollars(margin.Revenue)
	}
	if margin.Part == nil {
		return out
	}
	bound := ""
	if margin.Uncosted > 0 {
		bound = "at most "
	}
	return out + fmt.Sprintf("; margin %s%.1f %%", bound, *margin.Part*100)
}

// dollars returns an amount of nano-dollars, in cents from one dollar on and exact below.
func dollars(nano *big.Int) string {
	amount := new(big.Rat).SetFrac(nano, big.NewInt(1_000_000_000))
	if amount.Cmp(big.NewRat(1, 1)) >= 0 {
		return "$" + amount.FloatString(2)
	}
	text := amount.FloatString(9)
	cents := len("0.00")
	return "$" + text[:cents] + strings.TrimRight(text[cents:], "0")
}
