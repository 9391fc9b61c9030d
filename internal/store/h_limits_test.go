package store_test

import (
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// limit changes an export's limits and fails the test if that is refused.
func limit(t *testing.T, s *store.Store, f storetest.Fixture, c agent.ExportChanges) agent.Export {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	out, err := s.UpdateExport(t.Context(), f.Account.ID, f.Export.ID, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inItsOwn makes a begin the only one of its session, of an end user.
func inItsOwn(user string) func(*store.Begin) {
	return func(b *store.Begin) { b.Session, b.UserID = b.TurnID.String(), &user }
}

// kinds are the limits, each set to n; want are how they are reported.
func kinds(n int) map[store.Period]agent.ExportChanges {
	credits := int64(n)
	return map[store.Period]agent.ExportChanges{
		store.Day:     {DailyCreditLimit: setTo(credits)},
		store.Month:   {MonthlyCreditLimit: setTo(credits)},
		store.UserDay: {UserDailyMessageLimit: setTo(n)},
	}
}
