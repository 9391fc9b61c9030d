package storetest

import (
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/turns"
)

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

// InOwnSession returns a change that gives a begin its own session and an end user.
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
