package storetest

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/store"
)

// SandboxModel is the model of fixtures; it costs one credit.
const SandboxModel = "sandbox/assistant"

// Options change what Seed makes; the zero value is a completed sandbox agent with 100 credits at the highest rate.
type Options struct {
	// Credits are the account's; 0 means 100, below 0 means none.
	Credits int64
	// RatePerMinute is the export's; 0 means the highest.
	RatePerMinute int
	// Model is the agent's; SandboxModel when empty.
	Model string
	// Draft leaves the agent a draft.
	Draft bool
	// Instructions are the agent's; a short text when empty.
	Instructions string
	// ContextTurns are the agent's; nil means as many as an agent may have.
	ContextTurns *int
}

// Fixture is an account with one agent, one export and its key.
type Fixture struct {
	Account account.Account
	Agent   agent.Agent
	Export  agent.Export
	KeyID   uuid.UUID
	Key     apikey.Key
}

// Seed makes an account with everything that a chat needs.
func Seed(t testing.TB, s *store.Store, o Options) Fixture {
	t.Helper()
	if o.Credits == 0 {
		o.Credits = 100
	}
	if o.RatePerMinute == 0 {
		o.RatePerMinute = agent.MaxRatePerMinute
	}
	if o.Model == "" {
		o.Model = SandboxModel
	}
	if o.Instructions == "" {
		o.Instructions = "You are the shop's assistant."
	}
	var f Fixture
	var err error
	f.Account, err = s.CreateAccount(t.Context(), store.NewAccount{
		Email: uuid.NewString() + "@example.com", Name: "Test", PasswordHash: "none", StartingCredits: max(o.Credits, 0)})
	must(t, err)
	f.Agent = SeedAgent(t, s, f.Account.ID, o)
	f.Export, f.KeyID, f.Key = SeedExport(t, s, f.Account.ID, f.Agent.ID, o.RatePerMinute)
	return f
}

// SeedAgent makes one more agent of an account.
func SeedAgent(t testing.TB, s *store.Store, accountID uuid.UUID, o Options) agent.Agent {
	t.Helper()
	state := agent.Completed
	if o.Draft {
		state = agent.Draft
	}
	out, err := s.CreateAgent(t.Context(), accountID, store.NewAgent{
		Name: "Assistant", Instructions: o.Instructions, Model: &o.Model, State: state, ContextTurns: o.ContextTurns})
	must(t, err)
	return out
}

// SeedExport makes one more export of an agent.
func SeedExport(t testing.TB, s *store.Store, accountID, agentID uuid.UUID, rate int) (agent.Export, uuid.UUID, apikey.Key) {
	t.Helper()
	key := apikey.Mint()
	export, stored, err := s.CreateExport(t.Context(), accountID,
		store.NewExport{AgentID: agentID, Name: "Export", RatePerMinute: rate, Key: key})
	must(t, err)
	return export, stored.ID, key
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
