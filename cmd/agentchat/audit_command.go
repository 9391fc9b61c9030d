package main

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
)

// auditCmd is `agentchat audit`.
type auditCmd struct {
	databaseSettings
	accountRef
	From *moment `placeholder:"MOMENT" help:"The first day (UTC) like 2026-01-01, or moment like 2026-01-01T09:30:00Z."`
	To   *moment `placeholder:"MOMENT" help:"The day after the last, or the moment after the last."`
}

// Run prints an account's trail, the newest entry first. --id also finds deleted accounts.
func (c *auditCmd) Run(ctx context.Context, out *output) error {
	if c.From != nil && c.To != nil && !c.From.Before(c.To.Time) {
		return usagef("--to must be after --from: it is the first day or moment that does not count")
	}
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		id, err := c.account(ctx, db)
		if err != nil {
			return err
		}
		query := audit.Query{First: store.MaxPage}
		if c.From != nil {
			query.Filter.From = &c.From.Time
		}
		if c.To != nil {
			query.Filter.To = &c.To.Time
		}
		return printEntries(ctx, db, id, query, out)
	})
}

func (c *auditCmd) account(ctx context.Context, db *database) (uuid.UUID, error) {
	if c.ID == "" {
		found, err := c.find(ctx, db)
		return found.ID, err
	}
	found, err := accounts.On(db.DB).Account(ctx, uuid.MustParse(c.ID))
	return found.ID, noAccount(err, c.ID)
}

// printEntries prints one entry per line, page by page, because there may be many.
func printEntries(
	ctx context.Context, db *database, account uuid.UUID, query audit.Query, out *output,
) error {
	for {
		page, err := audit.On(db.DB).Page(ctx, account, query)
		if err != nil {
			return err
		}
		for _, e := range page.Items {
			object := objectOf(e)
			if err := out.result(object.line(), object); err != nil {
				return err
			}
			query.After = &store.Cursor{ID: e.ID}
		}
		if !page.HasNext {
			return nil
		}
	}
}

// entryObject is an entry under --json. Entries without an account belong to a user's own trail.
type entryObject struct {
	ID        uuid.UUID       `json:"id"`
	At        time.Time       `json:"at"`
	AccountID *uuid.UUID      `json:"account_id"`
	UserID    *uuid.UUID      `json:"user_id"`
	Actor     audit.ActorKind `json:"actor"`
	ActorID   *uuid.UUID      `json:"actor_id"`
	Operator  string          `json:"operator"`
	Action    string          `json:"action"`
	Subject   string          `json:"subject"`
	Fields    []string        `json:"fields"`
	Address   string          `json:"address"`
	Browser   string          `json:"browser"`
}

func objectOf(e audit.Entry) entryObject {
	out := entryObject{
		ID:       e.ID,
		At:       e.At.UTC(),
		Actor:    e.Actor,
		ActorID:  e.ActorID,
		Operator: e.Operator,
		Action:   e.Action,
		Subject:  e.Subject,
		Fields:   append([]string{}, e.Fields...),
		Address:  e.Address,
		Browser:  e.Browser,
	}
	if e.AccountID != uuid.Nil {
		out.AccountID = &e.AccountID
		return out
	}
	out.UserID = &e.UserID
	if e.Actor == audit.ByUser { // in a user's own trail the actor is that user
		out.ActorID = &e.UserID
	}
	return out
}

// line formats the entry for people, without empty fields.
func (e entryObject) line() string {
	parts := []string{e.At.Format(time.RFC3339), strings.ToLower(string(e.Actor))}
	if e.ActorID != nil {
		parts = append(parts, e.ActorID.String())
	}
	for _, part := range []string{e.Operator, e.Action, e.Subject, strings.Join(e.Fields, " "),
		e.Address} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "  ")
}
