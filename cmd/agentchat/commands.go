package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"agentchat/graph"
	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

// migrateCmd is `agentchat migrate`.
type migrateCmd struct {
	databaseSettings
}

// Run applies the migrations.
func (c *migrateCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForMigration, func(db *database) error {
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
	webhookSettings
	actingOperator
	Email string `required:"" placeholder:"EMAIL" help:"The email address that the owner signs in with."`
	Name  string `required:"" placeholder:"NAME" help:"The owner's name."`
}

// Run opens the account. It checks its arguments and the password before it opens the database.
func (c *accountCreateCmd) Run(ctx context.Context, p *process, out *output) error {
	if err := cmp.Or(c.actingOperator.check(), c.webhookSettings.check()); err != nil {
		return err
	}
	c.webhooks = c.on()
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	name, err := account.ParseName(c.Name)
	if err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, p, email)
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		created, err := accounts.On(db.DB).CreateAccount(ctx, accounts.NewAccount{
			Email: email, Name: name, PasswordHash: hash, StartingCredits: c.StartingCredits, By: c.does("account create"),
		})
		if err != nil {
			return err
		}
		text := fmt.Sprintf("The account %s is open, with %d credits.", created.Email,
			created.CreditBalance)
		return out.result(text, map[string]any{
			"id": created.ID, "email": created.Email, "name": created.Name, "balance": created.CreditBalance,
		})
	})
}

// accountPasswordCmd is `agentchat account password`.
type accountPasswordCmd struct {
	databaseSettings
	actingOperator
	Email string `required:"" placeholder:"EMAIL" help:"The user's email address."`
}

// Run sets the password and ends every sign-in of the user.
func (c *accountPasswordCmd) Run(ctx context.Context, p *process, out *output) error {
	if err := c.check(); err != nil {
		return err
	}
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	hash, err := newPasswordHash(ctx, p, email)
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := users.On(db.DB).UserByEmail(ctx, email)
		if err != nil {
			return noAccount(err, email)
		}
		if err := users.On(db.DB).SetPasswordHash(ctx, found.ID, hash,
			c.does("account password", "password")); err != nil {
			return noAccount(err, email)
		}
		text := fmt.Sprintf("The password of %s is set, and every sign-in has ended.", email)
		return out.result(text, map[string]any{"id": found.ID, "email": email})
	})
}

// actingOperator is the operator's name for the audit trail.
type actingOperator struct {
	As string `placeholder:"NAME" help:"Who you are, for the audit trail."`
}

// check validates the name like that of an account. It may be empty.
func (o actingOperator) check() error {
	if _, err := account.ParseName(o.As); o.As != "" && err != nil {
		return usagef("--as must be a name of at most 100 characters")
	}
	return nil
}

func (o actingOperator) does(command string, fields ...string) audit.Entry {
	return audit.Entry{Actor: audit.ByOperator, Operator: o.As, Action: command, Fields: fields}
}

// acting checks the operator's name and returns a context in which the audit trail records changes
// as the operator's.
func (o actingOperator) acting(ctx context.Context, command string) (context.Context, error) {
	return audit.Acting(ctx, o.does(command)), o.check()
}

// noAccount adds the address to a not-found error.
func noAccount(err error, email string) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "There is no account "+email+".")
	}
	return err
}

// newPasswordHash reads a password for the account with an address and hashes it.
func newPasswordHash(ctx context.Context, p *process, email string) (string, error) {
	password, err := readPassword(ctx, p.stdin, p.stderr)
	if err != nil {
		return "", err
	}
	if err := auth.CheckPassword("password", password, email); err != nil {
		return "", err
	}
	return auth.NewHasher().Hash(ctx, password)
}

// The linker sets version (make build) and, in a release, revision. Without them, the toolchain's
// stamps are used.
var version, revision string

// binaryVersion returns the version of this binary.
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
	text := graph.Schema(binaryVersion())
	return out.result(strings.TrimSuffix(text, "\n"), map[string]any{"schema": text})
}

// versionCmd is `agentchat version`.
type versionCmd struct{}

// Run prints the version that the build stamped into the binary.
func (*versionCmd) Run(out *output) error {
	commit, built := revision, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.GoVersion
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	name := binaryVersion()
	return out.result("agentchat "+name+" ("+built+")",
		map[string]any{"version": name, "revision": commit, "go": built})
}
