package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/llm"
	"agentchat/internal/server"
	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
)

const (
	// mostSkew is the largest accepted difference between the clocks of this machine and the database.
	// Tokens allow 30 s.
	mostSkew = 5 * time.Second
	// oldHold is the age at which a hold should have been released.
	oldHold = 5 * time.Minute
	// fewFiles is the limit of open files below which the service can serve only few clients.
	fewFiles = 4_096
	// leastServer is the oldest PostgreSQL that the service supports.
	leastServer = 140_000
)

var errFindings = errors.New("there are problems")

// finding is a problem and its fix.
type finding struct {
	Problem string `json:"problem"`
	Do      string `json:"do"`
}

type findings []finding

func (f *findings) add(do, problem string, args ...any) {
	*f = append(*f, finding{Problem: fmt.Sprintf(problem, args...), Do: do})
}

// report prints the findings, or well without any. Findings are an error.
func (f *findings) report(out *output, well string, more map[string]any) error {
	object := map[string]any{"ok": len(*f) == 0, "findings": append([]finding{}, *f...)}
	for name, value := range more {
		object[name] = value
	}
	lines := make([]string, len(*f))
	for i, found := range *f {
		lines[i] = strings.TrimSpace(found.Problem + " " + found.Do)
	}
	if len(lines) == 0 {
		return out.result(well, object)
	}
	if err := out.result(strings.Join(lines, "\n"), object); err != nil {
		return err
	}
	return errFindings
}

// doctorCmd is `agentchat doctor`.
type doctorCmd struct {
	databaseSettings
	creditSettings
	serveSettings
	providerSettings
}

// Run checks the settings and the database. It changes nothing, except that it brings the usage up to
// date, and may run while the service runs.
func (c *doctorCmd) Run(ctx context.Context, p *process, out *output) error {
	serve := serveCmd{
		databaseSettings: c.databaseSettings,
		creditSettings:   c.creditSettings,
		serveSettings:    c.serveSettings,
		providerSettings: c.providerSettings,
	}
	if err := serve.complete(parseEnv(p.env)); err != nil {
		return err
	}
	var found findings
	found.settings(&serve)
	well := ""
	err := withDatabase(ctx, &serve.databaseSettings, out, openForMigration, func(db *database) error {
		var err error
		if well, err = found.database(ctx, db); err == nil && well != "" {
			found.margins(ctx, out, db, &serve)
			err = found.factors(ctx, db, &serve)
		}
		return err
	})
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		found.add("Check DATABASE_URL, and that PostgreSQL runs and lets this machine in.",
			"The database cannot be used: %s.",
			strings.TrimSuffix(out.line(operatorText(err)), "."))
	}
	return found.report(out, "All is well: "+well+".", nil)
}

// setProvider is the advice if no provider is configured.
const setProvider = "Set GEMINI_API_KEY, OPENAI_API_KEY or MODELS_FILE."

func (f *findings) settings(c *serveCmd) {
	if !c.catalogue.Now().HasProvider() {
		f.add(setProvider, "No model provider is configured, so only the sandbox answers.")
	}
	public := string(c.PublicURL)
	if !c.ListenAddr.isLoopback() && !strings.HasPrefix(public, "https://") {
		f.add("Put a proxy with TLS in front, and set PUBLIC_URL to its https address.",
			"LISTEN_ADDR is open to other machines, and PUBLIC_URL is not https: keys and passwords would travel in the clear.")
	}
	if c.signUpOpen() && c.catalogue.Now().HasProvider() {
		f.add("Set SIGN_UP=closed unless you mean it.",
			"Anybody may open an account and spend %d credits.", c.StartingCredits)
	}
	if files := server.OpenFiles(); files < fewFiles {
		f.add("Raise it: ulimit -n, or LimitNOFILE in the unit.",
			"This process may open only %d files: that bounds its clients.", files)
	}
	if failure := reading.Failure(readingDir(c.DataDir)); failure != "" {
		f.add("Leave 448 MiB of memory free, then restart the service.",
			"When the service started, the reader of PDF files could not be compiled: %s.", failure)
	}
}

// database checks an open database and returns its description. The description is empty if some
// checks were not possible.
func (f *findings) database(ctx context.Context, db *database) (well string, err error) {
	d, err := db.Diagnose(ctx)
	if err != nil {
		return "", err
	}
	if d.ServerVersion < leastServer {
		f.add("Use 14 or newer.", "PostgreSQL is version %d.", d.ServerVersion/10_000)
	}
	if d.ReadOnly {
		f.add("Name the primary in DATABASE_URL.", "The database is read-only.")
		return "", nil
	}
	if skew := time.Since(d.Now).Abs(); skew > mostSkew {
		f.add("Synchronize both with NTP.", "The clocks of this machine and the database differ by %s.",
			skew.Round(time.Second))
	}
	own, free := db.Connections(), d.MaxConnections-d.UsedConnections
	if few := db.CheckConnections(ctx); few != nil {
		f.add("", "There are too few connections: %v.", strings.TrimRight(few.Error(), ";"))
	} else if own > free {
		f.add("Raise max_connections, or lower DATABASE_MAX_CONNS for each replica.",
			"A replica takes up to %d connections, and PostgreSQL has %d of %d left.", own, free, d.MaxConnections)
	}
	if err := db.SchemaCurrent(ctx); err != nil {
		f.schema(err, db.CheckMigration(ctx))
		return "", nil
	}
	if err := db.Ready(ctx); err != nil {
		f.add("docs/operating.md says what each reason means; PostgreSQL's log says more.",
			"The database takes no chats: %v.", err)
	}
	if _, oldest, err := operator.On(db.DB).Holds(ctx); err == nil && oldest > oldHold {
		f.add("Start a replica: it releases them.", "Credits have been held for %s.",
			oldest.Round(time.Second))
	}
	for _, kind := range []notifications.Kind{notifications.MailKind, notifications.WebhookKind} {
		if state, err := notifications.On(db.DB).OutboxState(ctx, kind); err == nil && state.Failed > 0 {
			command := "agentchat " + strings.ToLower(string(kind))
			f.add("See "+command+" list. To retry them, run "+command+" retry --all.",
				"%ss that could not be sent: %d.",
				map[notifications.Kind]string{notifications.MailKind: "Mail",
					notifications.WebhookKind: "Webhook"}[kind], state.Failed)
		}
	}
	return fmt.Sprintf("the settings fit together, PostgreSQL %d takes chats, and its schema is up to date", d.ServerVersion/10_000), nil
}

// factors adds a finding if no secret decrypts some second factors.
func (f *findings) factors(ctx context.Context, db *database, c *serveCmd) error {
	tokens, err := c.tokens(&c.databaseSettings)
	if err != nil {
		return err
	}
	lost, err := identity.LostFactors(ctx, db.Own(), tokens)
	if err == nil && lost > 0 {
		f.add("Set JWT_SECRET_PREVIOUS to the secret that was in use when they were set up, or run "+
			"agentchat user clear-second-factor for each user.",
			"Second factors that JWT_SECRET does not decrypt, so that only recovery codes work: %d.", lost)
	}
	return err
}

// schema adds a finding about the schema. cannotMigrate is the reason why a migration can't fix it,
// or nil.
func (f *findings) schema(wrong, cannotMigrate error) {
	switch {
	case !errors.Is(wrong, store.ErrSchemaOld):
		f.add("", "The schema cannot be used: %v", wrong)
	case cannotMigrate != nil:
		f.add("Then run agentchat migrate.", "The schema is not up to date, and %v", cannotMigrate)
	default:
		f.add("Run agentchat migrate, or start a replica.", "The schema is not up to date: %v.", wrong)
	}
}

// modelsCheckCmd is `agentchat models check`.
type modelsCheckCmd struct {
	providerSettings
	Timeout time.Duration `placeholder:"DURATION" min:"1s" max:"10m" default:"55s" help:"The time limit of each model; default 55s."`
}

// modelCheck is the result of trying a model.
type modelCheck struct {
	Model string    `json:"model"`
	OK    bool      `json:"ok"`
	Ms    int64     `json:"ms"`
	Cause llm.Cause `json:"cause,omitempty"`
}

// Run sends one short message to each model of a provider. The provider may charge you.
func (c *modelsCheckCmd) Run(ctx context.Context, p *process, out *output) error {
	models, err := c.loadCatalogue(parseEnv(p.env))
	if err != nil {
		return err
	}
	var found findings
	checks := []modelCheck{}
	for _, entry := range models.All() {
		if !entry.Available() || entry.Sandbox {
			continue
		}
		one, cancel := context.WithTimeout(ctx, c.Timeout)
		began, few := time.Now(), 16
		_, err := entry.Model.Generate(one, llm.Request{
			Model:           entry.UpstreamName,
			Instructions:    "Answer with one word.",
			Message:         "Hello",
			MaxOutputTokens: &few,
		}, nil)
		cancel()
		if ctx.Err() != nil {
			return errInterrupted
		}
		check := modelCheck{Model: entry.Name, OK: err == nil, Ms: time.Since(began).Milliseconds()}
		if err != nil {
			check.Cause = llm.CauseOf(err)
			found.add(whatToDo[check.Cause], "%s: %s (%s).", entry.Name,
				strings.ReplaceAll(string(check.Cause), "_", " "),
				strings.TrimSuffix(out.line(innermost(err)), "."))
		}
		checks = append(checks, check)
	}
	if len(checks) == 0 {
		found.add(setProvider, "No model provider is configured.")
	}
	return found.report(out, fmt.Sprintf("All %d models answer.", len(checks)),
		map[string]any{"models": checks})
}

// innermost returns the text of a fault's cause, which never contains a key, or the error's own
// text.
func innermost(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Err != nil {
		err = f.Err
	}
	return err.Error()
}

// whatToDo is the advice for each cause of a failed model.
var whatToDo = map[llm.Cause]string{
	llm.KeyRefused: "Set a valid API key.",
	llm.Away:       "Look at the provider's status page, the address and the quota.",
	llm.TimedOut:   "Look at the provider's status page, or raise MODEL_TIMEOUT.",
	llm.BadAnswer:  "Check the model's name at the provider, and its base URL.",
	llm.Blocked:    "The provider refuses even a greeting. Check your account at the provider.",
	llm.Broken:     "Report this with the log.",
}
