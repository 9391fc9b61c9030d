package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	// exitUsage is for wrong usage and for invalid configuration values: nothing was started.
	exitUsage = 2
)

// process holds everything that a run gets from outside. Two runs share nothing else, so that tests run several at once.
type process struct {
	args   []string
	env    []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// cli is the whole grammar: one struct for commands, flags and environment. A flag with the tag "setting" is also read from
// the environment variable of that name, and with the tag "secret" from a file; the flag wins.
type cli struct {
	Serve   serveCmd   `cmd:"" help:"Run the service: the panel and the chat API, with the database brought up to date first."`
	Migrate migrateCmd `cmd:"" help:"Bring the database's schema up to date and exit. Several at once are safe."`
	Account struct {
		Create   accountCreateCmd   `cmd:"" help:"Open an account. Its password is read from standard input or the terminal. The starting credits are given once per e-mail address."` //nolint:lll // one tag
		Password accountPasswordCmd `cmd:"" help:"Set an account's password, read from standard input or the terminal."`
		List     accountListCmd     `cmd:"" help:"List the accounts with their balances."`
		Show     accountShowCmd     `cmd:"" help:"Show an account, and how much it has."`
		Suspend  accountSuspendCmd  `cmd:"" help:"Refuse an account's keys and sign-ins from the next request on; everything is kept."`
		Resume   accountResumeCmd   `cmd:"" help:"End a suspension."`
		Unlock   accountUnlockCmd   `cmd:"" help:"Let an account sign in again after too many wrong passwords or codes."`
		Export   accountExportCmd   `cmd:"" help:"Write everything that an account has as JSON lines."`
		Delete   accountDeleteCmd   `cmd:"" help:"Delete an account with its agents and conversations. The ledger stays, without names."`
	} `cmd:"" help:"Open, list, suspend, export and delete accounts."`
	User struct {
		List              userListCmd              `cmd:"" help:"List the users with their accounts and roles."`
		ResetLink         userResetLinkCmd         `cmd:"" help:"Print a link, once, by which a user sets a new password within an hour. Needs no mail."`                //nolint:lll // one tag
		ClearSecondFactor userClearSecondFactorCmd `cmd:"" help:"Switch off the second factor of a user who has lost it and the recovery codes, and end every sign-in."` //nolint:lll // one tag
		SignOut           userSignOutCmd           `cmd:"" help:"End the sign-ins of a user, or of everybody, from the next request on. Passwords stay."`                //nolint:lll // one tag
	} `cmd:"" help:"List users, let them set a new password, switch off a second factor, and sign users out."`
	Credits struct {
		Grant  creditsGrantCmd  `cmd:"" help:"Add credits to an account, once per account and reference, and print the balance."`
		Adjust creditsAdjustCmd `cmd:"" help:"Correct an account's balance up or down, once per account and reference."`
	} `cmd:"" help:"Top up accounts and correct balances."`
	Usage  usageCmd `cmd:"" help:"Print what the accounts used between two days or moments: messages, failures, credits and tokens."`
	Export struct {
		List   exportListCmd   `cmd:"" help:"List an account's exports."`
		Pause  exportPauseCmd  `cmd:"" help:"Refuse an export's callers until it is resumed."`
		Resume exportResumeCmd `cmd:"" help:"Let an export's callers in again."`
		Remove exportRemoveCmd `cmd:"" help:"Stop an export and its key for good."`
	} `cmd:"" help:"List, pause and remove API exports."`
	Agent struct {
		Import agentImportCmd `cmd:"" help:"Create an agent from a file."`
		Export agentExportCmd `cmd:"" help:"Print an agent's draft as a file."`
	} `cmd:"" help:"Carry agents from one account or server to another."`
	Audit   auditCmd   `cmd:"" help:"Print an account's audit trail: who did what, newest first."`
	Request requestCmd `cmd:"" help:"Show what became of a request, by its request ID."`
	Mail    struct {
		Test  mailTestCmd  `cmd:"" help:"Send a mail at once, and say what the mail server said."`
		List  mailListCmd  `cmd:"" help:"List the mails that wait, and those that failed, with what the mail server said."`
		Retry mailRetryCmd `cmd:"" help:"Have mails that failed tried again."`
	} `cmd:"" help:"Try the mail server, and look after mails that it did not take."`
	Webhook struct {
		List  webhookListCmd  `cmd:"" help:"List the events that wait to be posted to WEBHOOK_URL, and those that failed, with why."`
		Retry webhookRetryCmd `cmd:"" help:"Have events that failed posted again."`
	} `cmd:"" help:"Look after events that the receiver of webhooks did not take."`
	Models struct {
		Check modelsCheckCmd `cmd:"" help:"Have each configured model answer one short message, which the provider may charge."`
	} `cmd:"" help:"Check the models."`
	Doctor  doctorCmd  `cmd:"" help:"Check the settings and the database as serve would find them, and say what to do."`
	Verify  verifyCmd  `cmd:"" help:"Check that the ledger is exact: balances, holds, history, turns and charges."`
	Schema  schemaCmd  `cmd:"" help:"Print the GraphQL schema."`
	Version versionCmd `cmd:"" help:"Print the version."`

	JSON bool `name:"json" help:"Print one JSON object on standard output; errors as one on standard error."`
}

const (
	description = "Agent Chat keeps AI agents and lets other software talk to them over POST /v1/agent/chat.\n\n" + aboutSettings

	aboutSettings = "Every setting is a flag or the environment variable named beside it; the flag wins. An empty variable counts as " +
		"not set. A secret (a key, a token, a database's URL) can also be read from a file: NAME_FILE is its path."
)

// run is the program: it returns the exit code. When ctx ends, it shuts down in order.
func run(ctx context.Context, p process) int {
	out := &output{stdout: p.stdout, stderr: p.stderr, json: asksForJSON(p.args)}
	err := execute(ctx, p, out)
	if err == nil {
		return exitOK
	}
	out.fail(err)
	if _, ok := errors.AsType[*usageError](err); ok || isInvalidInput(err) {
		return exitUsage
	}
	return exitFailed
}

func execute(ctx context.Context, p process, out *output) error {
	env := parseEnv(p.env)
	var grammar cli
	helped := false
	parser, err := newParser(&grammar, env, p, &helped)
	if err != nil {
		return err
	}
	args := p.args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if err := refuseFlags(parser.Model.Node, args); err != nil {
		return err
	}
	selected, err := parser.Parse(args)
	switch {
	case helped:
		return nil // help was asked for and printed; the rest of the line does not matter
	case err != nil:
		if usage, ok := errors.AsType[*usageError](err); ok {
			return usage
		}
		return &usageError{message: err.Error()}
	}
	if command := selected.Command(); command != "version" && command != "schema" {
		if err := env.refuseUnknown(parser.Model.Node); err != nil {
			return err
		}
	}
	selected.BindTo(ctx, (*context.Context)(nil))
	return selected.Run(&p, out)
}

// newParser builds the parser of a grammar. Asking for help sets helped once it is printed.
func newParser(grammar *cli, env environment, p process, helped *bool) (*kong.Kong, error) {
	parser, err := kong.New(grammar, append(mappers(),
		kong.Name("agentchat"), kong.Description(description),
		kong.Writers(p.stdout, p.stderr), kong.Exit(func(int) { *helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}), kong.Help(printHelp),
		kong.ValueFormatter(helpText), kong.Resolvers(kong.ResolverFunc(env.resolve)),
	)...)
	if err == nil {
		nameErrors(parser.Model.Node)
	}
	return parser, err
}

// asksForJSON looks for --json before the line is parsed, so that a line that cannot be parsed is answered in JSON as well.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// helpText adds the limits, the default and the environment variable to a flag's help.
func helpText(value *kong.Value) string {
	name := settingName(value)
	if name == "" {
		return value.Help
	}
	text := withLimits(value)
	if value.HasDefault {
		text += "; default " + value.Default
	}
	return text + " (" + name + ")."
}

func withLimits(value *kong.Value) string {
	text := strings.TrimSuffix(value.Help, ".")
	if least := value.Tag.Get("min"); least != "" {
		text += "; from " + least + " to " + value.Tag.Get("max")
	}
	return text
}

func settingName(value *kong.Value) string {
	if value.Tag == nil {
		return ""
	}
	return value.Tag.Get("setting")
}

// usageError is wrong usage or an invalid value: one line, and exit code 2.
type usageError struct{ message string }

// Error returns the line.
func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}
