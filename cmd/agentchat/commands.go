package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/graph"
	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// migrateCmd is `agentchat migrate`.
type migrateCmd struct {
	databaseSettings
}

// Run applies the migrations.
func (c *migrateCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, c.databaseSettings, out, openForMigration, func(db *database) error {
		if err := db.Migrate(ctx); err != nil {
			return err
		}
		return out.result("The database's schema is up to date.", map[string]any{"schema": "current"})
	})
}

// accountCreateCmd is `agentchat account create`.
type accountCreateCmd struct {
	databaseSettings
	creditSettings
	Email string `required:"" placeholder:"EMAIL" help:"The account's e-mail address, with which its owner signs in."`
	Name  string `required:"" placeholder:"NAME" help:"The owner's name."`
}

// Run opens the account. Everything that can be wrong is looked at before the database is.
func (c *accountCreateCmd) Run(ctx context.Context, p *process, out *output) error {
	var r reader
	credits := c.creditSettings.config(&r)
	if r.err != nil {
		return r.err
	}
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	name, err := account.ParseName(c.Name)
	if err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, p)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c.databaseSettings, out, openForCommand, func(db *database) error {
		created, err := db.CreateAccount(ctx, store.NewAccount{
			Email: email, Name: name, PasswordHash: hash, StartingCredits: credits,
		})
		if err != nil {
			return err
		}
		text := fmt.Sprintf("The account %s is open, with %d credits.", created.Email, created.CreditBalance)
		return out.result(text, map[string]any{
			"id": created.ID, "email": created.Email, "name": created.Name, "balance": created.CreditBalance,
		})
	})
}

// accountPasswordCmd is `agentchat account password`.
type accountPasswordCmd struct {
	databaseSettings
	Email string `required:"" placeholder:"EMAIL" help:"The account's e-mail address."`
}

// Run sets the password.
func (c *accountPasswordCmd) Run(ctx context.Context, p *process, out *output) error {
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, p)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := db.AccountByEmail(ctx, email)
		if err != nil {
			return noAccount(err, email)
		}
		if err := db.SetPasswordHash(ctx, found.ID, hash); err != nil {
			return noAccount(err, email)
		}
		return out.result(fmt.Sprintf("The password of %s is set.", email), map[string]any{"id": found.ID, "email": email})
	})
}

// noAccount says which address is unknown.
func noAccount(err error, email string) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "There is no account "+email+".")
	}
	return err
}

// newPasswordHash reads a password and hashes it.
func newPasswordHash(ctx context.Context, p *process) (string, error) {
	password, err := readPassword(ctx, p.stdin, p.stderr)
	if err != nil {
		return "", err
	}
	if err := account.CheckPassword("password", password); err != nil {
		return "", err
	}
	return auth.NewHasher().Hash(ctx, password)
}

// creditsGrantCmd is `agentchat credits grant`.
type creditsGrantCmd struct {
	databaseSettings
	Email     string `required:"" placeholder:"EMAIL" help:"The account's e-mail address."`
	Amount    string `required:"" placeholder:"N" help:"How many credits to add, at least 1."`
	Note      string `required:"" placeholder:"TEXT" help:"What the account's owner reads in the credit history."`
	Reference string `required:"" placeholder:"TEXT" help:"What it is for, such as an invoice's number; granted once."`
}

// maxGrantText bounds the note and the reference of a grant, in code points.
const maxGrantText = 200

// Run grants the credits and prints the balance.
func (c *creditsGrantCmd) Run(ctx context.Context, out *output) error {
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	amount, err := parseInt(1, credit.MaxBalance)(c.Amount)
	if err != nil {
		return usagef("--amount %v", err)
	}
	for flag, text := range map[string]string{"--note": c.Note, "--reference": c.Reference} {
		if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxGrantText || !utf8.ValidString(text) ||
			strings.ContainsFunc(text, unicode.IsControl) {
			return usagef("%s must be a text of 1 to %d characters on one line", flag, maxGrantText)
		}
	}
	return withDatabase(ctx, c.databaseSettings, out, openForCommand, func(db *database) error {
		granted, err := db.GrantCredits(ctx, store.Grant{Email: email, Amount: amount, Note: c.Note, Reference: c.Reference})
		if err != nil {
			return noAccount(err, email)
		}
		text := fmt.Sprintf("%d credits granted to %s; the balance is %d.", amount, email, granted.Balance)
		if granted.Repeated {
			text = fmt.Sprintf("Nothing granted: %s had this reference already; the balance is %d.", email, granted.Balance)
		}
		return out.result(text, map[string]any{
			"email": email, "amount": amount, "balance": granted.Balance, "repeated": granted.Repeated,
		})
	})
}

// version is set by the linker (make build); without it the toolchain's own stamp is told.
var version string

// binaryVersion is what this binary calls itself.
func binaryVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// schemaCmd is `agentchat schema`.
type schemaCmd struct{}

// Run prints the GraphQL schema as text.
func (*schemaCmd) Run(out *output) error {
	text := graph.Schema()
	return out.result(strings.TrimSuffix(text, "\n"), map[string]any{"schema": text})
}

// versionCmd is `agentchat version`.
type versionCmd struct{}

// Run prints what was stamped into the binary.
func (*versionCmd) Run(out *output) error {
	name, revision, built := binaryVersion(), "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.GoVersion
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = setting.Value
			}
		}
	}
	return out.result("agentchat "+name+" ("+built+")", map[string]any{"version": name, "revision": revision, "go": built})
}
