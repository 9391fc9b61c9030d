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
	// exitUsage reports wrong usage or an invalid setting. Nothing was started.
	exitUsage = 2
)

// process holds everything that a run gets from outside. Runs share nothing else, so tests can run
// several at once.
type process struct {
	args   []string
	env    []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

// cli is the grammar of commands, flags and environment variables. A flag with the tag "setting"
// can also be set by the environment variable of that name, and with the tag "secret" by a file.
// The flag wins.
type cli struct {
	Serve   serveCmd   `cmd:"" help:"Run the service: the panel and the chat API, with the database brought up to date first."`
	Bridge  bridgeCmd  `cmd:"" help:"Let clients of OpenAI's APIs and of MCP talk to agents, as a client of the service. Needs no database."` //nolint:lll // one tag
	MCP     mcpCmd     `cmd:"" name:"mcp" help:"Let an MCP client talk to an agent over standard input and output."`
	Migrate migrateCmd `cmd:"" help:"Bring the database's schema up to date and exit. It is safe to run several at once."`
	Account struct {
		Create   accountCreateCmd   `cmd:"" help:"Open an account. Its password is read from standard input or the terminal. The starting credits are given once per email address."` //nolint:lll // one tag
		Password accountPasswordCmd `cmd:"" help:"Set an account's password, read from standard input or the terminal."`
		List     accountListCmd     `cmd:"" help:"List the accounts with their balances."`
		Show     accountShowCmd     `cmd:"" help:"Show an account and the number of its agents, exports and conversations."`
		Suspend  accountSuspendCmd  `cmd:"" help:"Refuse an account's keys and sign-ins from the next request on; everything is kept."`
		Resume   accountResumeCmd   `cmd:"" help:"End a suspension."`
		Unlock   accountUnlockCmd   `cmd:"" help:"Let an account sign in again after too many wrong passwords or codes."`
		Export   accountExportCmd   `cmd:"" help:"Write all data of an account as JSON lines."`
		Delete   accountDeleteCmd   `cmd:"" help:"Delete an account with its agents and conversations. The ledger stays, without names."`
	} `cmd:"" help:"Open, list, suspend, export and delete accounts."`
	User struct {
		List              userListCmd              `cmd:"" help:"List the users with their accounts and roles."`
		ResetLink         userResetLinkCmd         `cmd:"" help:"Print a link, once, by which a user sets a new password within an hour. Needs no mail."`                //nolint:lll // one tag
		ClearSecondFactor userClearSecondFactorCmd `cmd:"" help:"Switch off the second factor of a user who has lost it and the recovery codes, and end every sign-in."` //nolint:lll // one tag
		SignOut           userSignOutCmd           `cmd:"" help:"End the sign-ins of one user or of all, from the next request on. Passwords stay."`                     //nolint:lll // one tag
	} `cmd:"" help:"List users, let them set a new password, switch off a second factor, and sign users out."`
	Credits struct {
		Grant  creditsGrantCmd  `cmd:"" help:"Add credits to an account, once per account and reference, and print the balance."`
		Adjust creditsAdjustCmd `cmd:"" help:"Correct an account's balance up or down, once per account and reference."`
	} `cmd:"" help:"Top up accounts and correct balances."`
	Usage  usageCmd `cmd:"" help:"Print the usage of accounts in a period: messages, failures, credits and tokens."`
	Export struct {
		List   exportListCmd   `cmd:"" help:"List an account's exports."`
		Pause  exportPauseCmd  `cmd:"" help:"Refuse an export's callers until it is resumed."`
		Resume exportResumeCmd `cmd:"" help:"Let an export's callers in again."`
		Remove exportRemoveCmd `cmd:"" help:"Stop an export and its key for good."`
	} `cmd:"" help:"List, pause and remove API exports."`
	Agent struct {
		Import agentImportCmd `cmd:"" help:"Create an agent from a file."`
		Export agentExportCmd `cmd:"" help:"Print an agent's draft as a file."`
	} `cmd:"" help:"Move agents between accounts or servers."`
	Audit   auditCmd   `cmd:"" help:"Print an account's audit trail: who did what, newest first."`
	Request requestCmd `cmd:"" help:"Show the outcome of a request, by its request ID."`
	Mail    struct {
		Test  mailTestCmd  `cmd:"" help:"Send a mail at once and print the mail server's response."`
		List  mailListCmd  `cmd:"" help:"List waiting and failed mails, with the mail server's response."`
		Retry mailRetryCmd `cmd:"" help:"Retry failed mails."`
	} `cmd:"" help:"Test the mail server, and list and retry unsent mails."`
	Webhook struct {
		List  webhookListCmd  `cmd:"" help:"List events that wait to be posted to WEBHOOK_URL, and failed ones with the reason."`
		Retry webhookRetryCmd `cmd:"" help:"Retry failed events."`

		Owners webhookOwnersCmd `cmd:"" help:"List the webhooks of owners."`
		Stop   webhookStopCmd   `cmd:"" help:"Stop a webhook of an owner: nothing is posted to it until it is allowed."`
		Allow  webhookAllowCmd  `cmd:"" help:"Switch a stopped webhook on again."`
	} `cmd:"" help:"List and retry undelivered events, and stop webhooks of owners."`
	Models struct {
		Check modelsCheckCmd `cmd:"" help:"Send one short message to each configured model. The provider may charge you."`
	} `cmd:"" help:"Check the models."`
	Doctor  doctorCmd  `cmd:"" help:"Check the settings and the database, and say how to fix what is wrong."`
	Verify  verifyCmd  `cmd:"" help:"Check that the ledger is exact: balances, holds, history, turns and charges."`
	Schema  schemaCmd  `cmd:"" help:"Print the GraphQL schema."`
	Version versionCmd `cmd:"" help:"Print the version."`

	JSON bool `name:"json" help:"Print one JSON object on standard output; errors as one on standard error."`
}

const (
	description = "Agent Chat hosts AI agents and lets other software talk to them over " +
		"POST /v1/agent/chat.\n\n" + aboutSettings

	aboutSettings = "Every setting is a flag or the environment variable named next to it; the flag wins. " +
		"An empty variable counts as not set. A secret (a key, a token, a database's URL) can also be " +
		"read from a file: NAME_FILE is its path."
)

// run is the program. It shuts down when ctx ends, and returns the exit code.
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
		return nil // help was printed; the rest of the line does not matter
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

// newParser builds the parser of a grammar. It sets helped when help was printed.
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

// asksForJSON looks for --json before the line is parsed, so that parse errors are also in JSON.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// helpText returns a flag's help with its limits, default and environment variable.
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

// usageError reports wrong usage or an invalid value, with exit code 2.
type usageError struct{ message string }

// Error returns the line.
func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}
