package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/versions"
)

// SandboxModel is the model of fixtures; it costs one credit.
const SandboxModel = "sandbox/assistant"

// Options change the fixture of Seed. The zero value is a live sandbox agent with 100 credits at
// the highest rate.
type Options struct {
	// Credits are the account's; 0 means 100, below 0 means none.
	Credits int64
	// RatePerMinute is the export's; 0 means the highest.
	RatePerMinute int
	// Model is the agent's; SandboxModel when empty.
	Model string
	// FallbackModel is the agent's; none when empty.
	FallbackModel string
	// Draft leaves the agent a draft. Offline takes it offline.
	Draft, Offline bool
	// Instructions are the agent's; a short text when empty.
	Instructions string
	// ContextTurns are the agent's; nil means the maximum.
	ContextTurns *int
	// Variables are the agent's; none when empty.
	Variables []agent.Variable
	// ReplySchema is the agent's; none when empty.
	ReplySchema string
	// Actions are the agent's.
	Actions []agent.Action
	// Age backdates the publication.
	Age time.Duration
}

// Fixture is an account with one agent, one export and its key.
type Fixture struct {
	Account accounts.Owned
	Agent   agent.Agent
	Export  agent.Export
	KeyID   uuid.UUID
	Key     apikey.Key
}

// Seed makes an account with everything that a chat needs.
func Seed(t testing.TB, s *store.DB, o Options) Fixture {
	t.Helper()
	if o.Credits == 0 {
		o.Credits = 100
	}
	if o.RatePerMinute == 0 {
		o.RatePerMinute = agent.MaxRatePerMinute
	}
	var f Fixture
	var err error
	f.Account, err = accounts.On(s).CreateAccount(t.Context(), accounts.NewAccount{
		Email: uuid.NewString() + "@example.com", Name: "Test", PasswordHash: "none",
		StartingCredits: max(o.Credits, 0)})
	must(t, err)
	draft := o.Draft
	o.Draft = false
	f.Agent = SeedAgent(t, s, f.Account.ID, o)
	f.Export, f.KeyID, f.Key = SeedExport(t, s, f.Account.ID, f.Agent.ID, o.RatePerMinute)
	switch { // only a live agent can be exported
	case draft:
		_, err = s.SQL().ExecContext(t.Context(), `UPDATE agents SET state = 'DRAFT',
			published_version = NULL WHERE id = $1`, f.Agent.ID)
		f.Agent.State, f.Agent.PublishedVersion = agent.Draft, nil
	case o.Offline:
		f.Agent, err = agents.On(s).UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID)
	}
	must(t, err)
	return f
}

// SeedAgent makes another agent of an account. It uses the options about agents.
func SeedAgent(t testing.TB, s *store.DB, accountID uuid.UUID, o Options) agent.Agent {
	t.Helper()
	if o.Model == "" {
		o.Model = SandboxModel
	}
	if o.Instructions == "" {
		o.Instructions = "You are the shop's assistant."
	}
	in := agent.Agent{Name: "Assistant",
		Settings: agent.Settings{Instructions: o.Instructions, Model: &o.Model,
			ContextTurns: agent.MaxContextTurns,
			Variables:    o.Variables, Actions: o.Actions}}
	if o.FallbackModel != "" {
		in.FallbackModel = &o.FallbackModel
	}
	if o.ReplySchema != "" {
		in.ReplySchema = &o.ReplySchema
	}
	if o.ContextTurns != nil {
		in.ContextTurns = *o.ContextTurns
	}
	out, err := agents.On(s).CreateAgent(t.Context(), accountID, in)
	must(t, err)
	if !o.Draft {
		out = Publish(t, s, out)
	}
	if o.Age > 0 {
		_, err := s.SQL().ExecContext(t.Context(), `UPDATE agent_versions
			SET created_at = created_at - $2::interval WHERE agent_id = $1`, out.ID, o.Age)
		must(t, err)
	}
	return out
}

// Publish publishes an agent's draft with any model.
func Publish(t testing.TB, s *store.DB, a agent.Agent) agent.Agent {
	t.Helper()
	out, _, err := versions.On(s).PublishAgent(t.Context(), a.AccountID, a.ID, versions.Publication{},
		func(string) bool { return true })
	must(t, err)
	return out
}

// SeedExport makes another export of a live agent.
func SeedExport(
	t testing.TB, s *store.DB, accountID, agentID uuid.UUID, rate int,
) (agent.Export, uuid.UUID, apikey.Key) {
	t.Helper()
	key := apikey.Mint()
	export, err := exports.On(s).CreateExport(t.Context(), accountID,
		agent.Export{AgentID: agentID, Name: "Export", RatePerMinute: rate}, key)
	must(t, err)
	keys, err := exports.On(s).KeysByExports(t.Context(), accountID, []uuid.UUID{export.ID})
	must(t, err)
	return export, keys[export.ID][0].ID, key
}

// SetAccountState suspends an account or makes it active again.
func SetAccountState(t testing.TB, s *store.DB, id uuid.UUID, state account.State) {
	t.Helper()
	_, err := s.SQL().ExecContext(t.Context(), `UPDATE accounts SET state = $2 WHERE id = $1`,
		id, state)
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// SeededHash is the password hash of Seed's accounts.
const SeededHash = "none"

// Time parses a time in RFC 3339 and panics if it cannot.
func Time(text string) time.Time {
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return out
}

// PublishNoted publishes with a note and fails the test on an error.
func PublishNoted(
	t *testing.T, s *store.DB, a agent.Agent, note string,
) (agent.Agent, agent.Version) {
	t.Helper()
	out, version, err := versions.On(s).PublishAgent(t.Context(), a.AccountID, a.ID,
		versions.Publication{Note: note}, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return out, version
}

// Edit changes an agent's draft.
func Edit(t *testing.T, s *store.DB, a agent.Agent, c agent.Changes) agent.Agent {
	t.Helper()
	out, err := agents.On(s).UpdateAgent(t.Context(), a.AccountID, a.ID, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// NewExport returns an export to create.
func NewExport(agentID uuid.UUID) agent.Export {
	return agent.Export{AgentID: agentID, Name: "Export", RatePerMinute: 600}
}

// ExportByID reads one export, removed or not. Fault: NotFound.
func ExportByID(ctx context.Context, s *store.DB, accountID, id uuid.UUID) (agent.Export, error) {
	found, err := exports.On(s).ExportsByIDs(ctx, accountID, []uuid.UUID{id})
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, nil)
	}
	return found[id], err
}

// SetTo returns a change to a value.
func SetTo[T any](v T) agent.Change[T] { return agent.Change[T]{Set: true, Value: &v} }

// SetNull returns a change to null.
func SetNull[T any]() agent.Change[T] { return agent.Change[T]{Set: true} }

// OnlySandbox reports whether a model is SandboxModel, the only available one.
func OnlySandbox(model string) bool { return model == SandboxModel }

// FieldsOf returns the paths of an error's invalid fields.
func FieldsOf(err error) []string {
	var out []string
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.InvalidInput {
		for _, field := range f.Fields {
			out = append(out, field.Path)
		}
	}
	return out
}

// SetLimits changes an export's limits and fails the test on an error.
func SetLimits(t *testing.T, s *store.DB, f Fixture, c agent.ExportChanges) agent.Export {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	out, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// InOwnSession returns a change that gives a Begin its own session and an end user.
func InOwnSession(user string) func(*turns.Begin) {
	return func(b *turns.Begin) { b.Session, b.UserID = b.TurnID.String(), &user }
}

// LimitKinds returns a change for each limit of an export, which sets it to n.
func LimitKinds(n int) map[store.Period]agent.ExportChanges {
	credits := int64(n)
	return map[store.Period]agent.ExportChanges{
		store.Day:     {DailyCreditLimit: SetTo(credits)},
		store.Month:   {MonthlyCreditLimit: SetTo(credits)},
		store.UserDay: {UserDailyMessageLimit: SetTo(n)},
	}
}

// Block blocks or unblocks an end user of an account.
func Block(t *testing.T, s *store.DB, f Fixture, user string, on bool) conversation.EndUser {
	t.Helper()
	got, err := conversations.On(s).BlockEndUser(t.Context(), f.Account.ID, user, on)
	if err != nil || got.Blocked != on || got.UserID != user {
		t.Fatalf("block %v: %+v %v", on, got, err)
	}
	return got
}

// SetOwnLimit sets the limit of an end user; nil removes it.
func SetOwnLimit(
	t *testing.T, s *store.DB, f Fixture, user string, limit *int,
) conversation.EndUser {
	t.Helper()
	got, err := conversations.On(s).SetEndUserLimit(t.Context(), f.Account.ID, user, limit)
	if err != nil || (got.DailyMessageLimit == nil) != (limit == nil) ||
		limit != nil && *got.DailyMessageLimit != *limit {
		t.Fatalf("limit: %+v %v", got, err)
	}
	return got
}
