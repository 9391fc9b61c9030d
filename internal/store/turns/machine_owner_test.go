package turns_test

import (
	"pgregory.net/rapid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

func (m *machine) grant(rt *rapid.T) {
	a := pick(rt, "account", m.accounts)
	in := credits.Grant{AccountID: a.id, Amount: rapid.Int64Range(1, 5).Draw(rt, "amount"), Note: "top-up",
		Reference: rapid.SampledFrom([]string{"r1", "r2", "r3", "r4"}).Draw(rt, "reference")}
	known, repeated := a.references[in.Reference]
	got, err := credits.On(m.s).GrantCredits(m.Context(), in)
	switch {
	case a.deleted:
		m.expectFault(err, fault.NotFound)
	case repeated && known != in.Amount:
		m.expectFault(err, fault.Conflict)
	default:
		m.must(err, "grant")
		if !repeated {
			a.balance, a.entries, a.references[in.Reference] = a.balance+in.Amount, a.entries+1, in.Amount
		}
		if got.Repeated != repeated || got.Balance != a.balance {
			rt.Fatalf("grant: %+v, want balance %d, repeated %v", got, a.balance, repeated)
		}
	}
}

func (m *machine) expectFault(err error, want fault.Kind) {
	if !fault.Is(err, want) {
		m.Fatalf("%v, want %s", err, want)
	}
}

// removeExport removes an export and gives its agent another one.
func (m *machine) removeExport(rt *rapid.T) {
	k := pick(rt, "key", filter(m.keys, (*modelKey).exported))
	_, err := exports.On(m.s).RemoveExport(m.Context(), k.agent.account.id, k.export)
	if k.agent.deleted {
		m.expectFault(err, fault.NotFound)
		return
	}
	m.must(err, "remove export")
	if !k.removed {
		m.addKey(k.agent)
	}
	k.removed = true
}

// setLimit sets, changes or removes a limit of an export. A new limit of credits counts what the
// export has used so far, and a new one of end users starts at zero.
func (m *machine) setLimit(rt *rapid.T) {
	k := pick(rt, "key", filter(m.keys, func(k *modelKey) bool { return k.exported() && k.usable() }))
	limit := rapid.Ptr(rapid.Int64Range(1, 6), true).Draw(rt, "limit")
	var change agent.ExportChanges
	switch rapid.SampledFrom([]store.Period{store.Day, store.Month, store.UserDay}).Draw(rt, "period") {
	case store.Day:
		k.day, change.DailyCreditLimit = limit, agent.Change[int64]{Set: true, Value: limit}
	case store.Month:
		k.month, change.MonthlyCreditLimit = limit, agent.Change[int64]{Set: true, Value: limit}
	default:
		change.UserDailyMessageLimit.Set = true
		if limit != nil {
			change.UserDailyMessageLimit.Value = new(int(*limit))
		}
		if k.userDay == nil {
			k.messages = map[string]*int64{}
		}
		k.userDay = limit
	}
	_, err := exports.On(m.s).UpdateExport(m.Context(), k.agent.account.id, k.export, change)
	m.must(err, "set limit")
}

func (m *machine) deleteConversation(rt *rapid.T) {
	c := pick(rt, "conversation", m.conversations)
	err := erasure.On(m.s).DeleteConversation(m.Context(), c.agent.account.id, c.id)
	if c.deleted {
		m.expectFault(err, fault.NotFound)
		return
	}
	m.must(err, "delete conversation")
	m.erase(c, true)
}

// deleteAgent deletes an agent and gives its account another one.
func (m *machine) deleteAgent(rt *rapid.T) {
	a := pick(rt, "agent", m.agents)
	err := erasure.On(m.s).DeleteAgent(m.Context(), a.account.id, a.id)
	if a.deleted {
		m.expectFault(err, fault.NotFound)
		return
	}
	m.must(err, "delete agent")
	m.stop(a)
	m.addAgent(a.account, storetest.SeedAgent(m, m.s, a.account.id, storetest.Options{
		Model: storetest.SandboxModel, Instructions: "Help."}).ID)
	for range 2 {
		m.addKey(m.agents[len(m.agents)-1])
	}
}

func (m *machine) deleteAccount(rt *rapid.T) {
	a := pick(rt, "account", m.accounts)
	err := erasure.On(m.s).DeleteAccount(m.Context(), a.id, a.owner, "none", storetest.ByUser)
	if a.deleted {
		m.expectFault(err, fault.Conflict)
		return
	}
	m.must(err, "delete account")
	for _, theirs := range m.agents {
		if theirs.account == a && !theirs.deleted {
			m.stop(theirs)
		}
	}
	a.deleted = true
	m.openAccount()
}
