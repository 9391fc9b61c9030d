package agents_test

import (
	"sync/atomic"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// TestAccountsOwnALimitedNumber creates two agents, and two exports, concurrently when only one
// more fits.
func TestAccountsOwnALimitedNumber(t *testing.T) {
	t.Parallel()
	s, holder := storetest.Replicas(t)
	f := storetest.Seed(t, s, storetest.Options{})
	other := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `INSERT INTO agents (id, account_id, name, state, published_version)
		SELECT gen_random_uuid(), $1, 'n', 'LIVE', 1 FROM generate_series(1, $2)`,
		f.Account.ID, agent.MaxAgents-2)
	storetest.Exec(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name)
		SELECT gen_random_uuid(), $1, id, 'e' FROM agents, generate_series(1, $2) WHERE id = $3`,
		f.Account.ID, agent.MaxExports-2, f.Agent.ID)
	makeAgent := func() error {
		_, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: "one more"})
		return err
	}
	var turn atomic.Int64
	agentList, err := agents.On(s).Agents(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	makeExport := func() error { // each of another agent, whose own lock does not make them wait for each other
		_, err := exports.On(s).CreateExport(t.Context(), f.Account.ID, storetest.NewExport(agentList[turn.Add(1)].ID), apikey.Mint())
		return err
	}
	for name, create := range map[string]func() error{"agents": makeAgent, "exports": makeExport} {
		// A lock holds both until both have started, so that neither counts first.
		tx, err := holder.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), `SELECT id FROM accounts WHERE id = $1 FOR UPDATE`, f.Account.ID); err != nil {
			t.Fatal(err)
		}
		created := make(chan int, 1)
		go func() { created <- storetest.AtOnce(t, 2, fault.Conflict, create) }()
		storetest.WaitForLocks(t, holder, 2)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if created := <-created; created != 1 {
			t.Errorf("%s: %d fitted, want 1", name, created)
		}
	}
	if _, err := exports.On(s).RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	if err := makeExport(); err != nil {
		t.Errorf("an export after a removal: %v", err)
	}
	// The deletion of the agent frees its exports too.
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if err := makeAgent(); err != nil {
		t.Errorf("an agent after a deletion: %v", err)
	}
	if _, err := agents.On(s).CreateAgent(t.Context(), other.Account.ID, agent.Agent{Name: "x"}); err != nil {
		t.Errorf("another account: %v", err)
	}
}
