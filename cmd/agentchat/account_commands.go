package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/term"

	"agentchat/internal/account"
	"agentchat/internal/admin"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/users"
)

// accountRef names an account.
type accountRef struct {
	Email string `placeholder:"EMAIL" help:"The email address of the account's owner."`
	ID    string `name:"id" placeholder:"ID" help:"The account's ID, instead of the address."`
}

// check validates the reference: an address or an ID, not both. It needs no database.
func (r *accountRef) check() error {
	if (r.Email == "") == (r.ID == "") {
		return usagef("name the account by --email or by --id")
	}
	if r.ID != "" {
		_, err := parseID(r.ID)
		return err
	}
	email, err := account.ParseEmail(r.Email)
	r.Email = email
	return err
}

// parseID reads the value of --id.
func parseID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usagef("--id must be an ID like 0198c2f0-6f5e-7d3a-9d51-5a3f0c6a2b1e, not %q", text)
	}
	return id, nil
}

// find returns the account unless it is deleted.
func (r *accountRef) find(ctx context.Context, db *database) (accounts.Owned, error) {
	if r.ID == "" {
		found, err := operator.On(db.DB).AccountByEmail(ctx, r.Email)
		if fault.Is(err, fault.Conflict) { // the user owns several
			return found, usagef("%s", fault.ClientMessage(err))
		}
		return found, noAccount(err, r.Email)
	}
	found, err := accounts.On(db.DB).OwnedAccount(ctx, uuid.MustParse(r.ID))
	return found, noAccount(err, r.ID)
}

func accountLine(a accounts.Owned) string {
	return fmt.Sprintf("%s  %-9s  %s  %s  %d credits, %d held  %s", a.ID,
		strings.ToLower(string(a.State)),
		a.CreatedAt.UTC().Format(time.DateOnly), a.Email, a.CreditBalance, a.CreditsHeld, a.Name)
}

// accountListCmd is `agentchat account list`.
type accountListCmd struct {
	databaseSettings
	Search string    `placeholder:"TEXT" help:"Only accounts whose address or name contains this."`
	Limit  int       `placeholder:"N" min:"1" max:"100000" default:"1000" help:"How many to list."`
	After  uuid.UUID `placeholder:"ID" help:"Begin after this account."`
}

// Run lists the accounts, the oldest first.
func (c *accountListCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := operator.On(db.DB).AccountPage(ctx,
			operator.AccountQuery{First: c.Limit + 1, After: c.After, Search: c.Search})
		if err != nil {
			return err
		}
		return printPage(out, "accounts", found, c.Limit,
			func(a accounts.Owned) (uuid.UUID, string, any) {
				return a.ID, accountLine(a), admin.AccountOf(a)
			})
	})
}

// printPage prints at most limit of the items found, and how to get the next page if there are
// more. show returns an item's ID, its line and its JSON object.
func printPage[T any](
	out *output, name string, found []T, limit int, show func(T) (uuid.UUID, string, any),
) error {
	lines, objects, last := []string{}, []any{}, uuid.Nil
	for _, item := range found[:min(len(found), limit)] {
		id, line, object := show(item)
		lines, objects, last = append(lines, line), append(objects, object), id
	}
	result := map[string]any{name: objects}
	if len(found) > limit {
		result["next"] = last
		lines = append(lines, fmt.Sprintf("There are more: repeat the command with --after %s", last))
	}
	if len(lines) == 0 {
		lines = []string{"No " + name + "."}
	}
	return out.result(strings.Join(lines, "\n"), result)
}

// accountShowCmd is `agentchat account show`.
type accountShowCmd struct {
	databaseSettings
	accountRef
}

// Run prints an account with the number of its agents, exports and conversations.
func (c *accountShowCmd) Run(ctx context.Context, out *output) error {
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		n, err := operator.On(db.DB).CountOfAccount(ctx, found.ID)
		if err != nil {
			return err
		}
		return out.result(fmt.Sprintf("%s\n%d agents, %d exports in use, %d conversations",
			accountLine(found), n.Agents, n.Exports, n.Conversations), admin.AccountOf(found).With(n))
	})
}

// with runs a command's work on one account.
func (c *accountShowCmd) with(
	ctx context.Context, out *output, work func(*database, accounts.Owned) error,
) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := c.find(ctx, db)
		if err != nil {
			return err
		}
		return work(db, found)
	})
}

// accountSuspendCmd is `agentchat account suspend`.
type accountSuspendCmd struct{ stateCmd }

// Run suspends the account.
func (c *accountSuspendCmd) Run(ctx context.Context, out *output) error {
	ctx, err := c.acting(ctx, "account suspend")
	if err != nil {
		return err
	}
	return c.setState(ctx, out, true,
		"is suspended: its keys and sign-ins are refused from the next request on")
}

// accountResumeCmd is `agentchat account resume`.
type accountResumeCmd struct{ stateCmd }

// Run resumes the account.
func (c *accountResumeCmd) Run(ctx context.Context, out *output) error {
	ctx, err := c.acting(ctx, "account resume")
	if err != nil {
		return err
	}
	return c.setState(ctx, out, false, "is active: its keys and sign-ins work again")
}

// stateCmd suspends or resumes an account. The operator's webhook receives the event.
type stateCmd struct {
	accountShowCmd
	actingOperator
	webhookSettings
}

func (c *stateCmd) setState(ctx context.Context, out *output, suspend bool, says string) error {
	if err := c.webhookSettings.check(); err != nil {
		return err
	}
	c.webhooks = c.on()
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		changed, err := operator.On(db.DB).SuspendAccount(ctx, found.ID, suspend)
		if err != nil {
			return noAccount(err, found.Email)
		}
		return out.result(fmt.Sprintf("The account %s %s.", changed.Email, says),
			admin.AccountOf(changed))
	})
}

// accountUnlockCmd is `agentchat account unlock`.
type accountUnlockCmd struct {
	accountShowCmd
	secretSettings
	actingOperator
}

// Run clears the count of wrong passwords and codes for the account.
func (c *accountUnlockCmd) Run(ctx context.Context, out *output) error {
	if err := c.check(); err != nil { // the operator's; with checks the account's
		return err
	}
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		tokens, err := c.tokens(&c.databaseSettings)
		if err != nil {
			return err
		}
		if err := users.On(db.DB).Unlock(ctx, found.OwnerID, identity.GuessKeys(tokens, found.Email),
			c.does("account unlock")); err != nil {
			return err
		}
		return out.result(fmt.Sprintf("The account %s can sign in again at once.", found.Email),
			admin.AccountOf(found))
	})
}

// accountDeleteCmd is `agentchat account delete`.
type accountDeleteCmd struct {
	accountShowCmd
	actingOperator
	webhookSettings
	Yes bool `help:"Delete without asking."`
}

// Run deletes the account and everything in it. The ledger stays, without names.
func (c *accountDeleteCmd) Run(ctx context.Context, p *process, out *output) error {
	// c.with checks the account.
	if err := cmp.Or(c.actingOperator.check(), c.webhookSettings.check()); err != nil {
		return err
	}
	c.webhooks = c.on()
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		if err := confirm(p, c.Yes,
			fmt.Sprintf("Delete the account %s with its agents and conversations?",
				found.Email)); err != nil {
			return err
		}
		if err := erasure.On(db.DB).DeleteAnyAccount(ctx, found.ID,
			c.does("account delete")); err != nil {
			return noAccount(err, found.Email)
		}
		return out.result(fmt.Sprintf("The account %s is deleted. The service erases its texts within minutes.", found.Email),
			map[string]any{"id": found.ID, "email": found.Email, "deleted": true})
	})
}

var errNotConfirmed = errors.New("nothing was done")

// confirm asks on a terminal. Without a terminal, --yes is required.
func confirm(p *process, yes bool, question string) error {
	if yes {
		return nil
	}
	terminal, ok := p.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return usagef("this cannot be undone: repeat the command with --yes")
	}
	_, _ = fmt.Fprintf(p.stderr, "%s This cannot be undone. Type yes: ", question)
	answer, err := bufio.NewReader(io.LimitReader(terminal, 100)).ReadString('\n')
	if err == nil && strings.TrimSpace(answer) != "yes" {
		err = errNotConfirmed
	}
	return err
}
