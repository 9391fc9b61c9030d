package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestChangesOfAnAccountAreBounded: past MaxChanges within a day, members and tokens can only end what there is; the operator and other
// accounts are not bound.
func TestChangesOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	entries := func(n int, ago time.Duration, actor store.ActorKind) {
		ids, first := make([]string, n), time.Now().Add(-ago)
		for i := range ids {
			ids[i] = conversation.FirstID(first.Add(time.Duration(i) * time.Millisecond)).String()
		}
		exec(t, s, `INSERT INTO audit_entries (id, account_id, actor, action, subject, fields, at)
			SELECT unnest($1::uuid[]), $2, $3, 'createAgent', 'x', '{}', $4`, ids, f.Account.ID, string(actor), first)
	}
	entries(store.MaxChanges-1, store.ChangesWindow-time.Hour, store.ByUser)
	entries(10, store.ChangesWindow+time.Hour, store.ByToken)
	entries(10, time.Hour, store.ByOperator)
	for _, c := range []struct {
		account uuid.UUID
		by      store.AuditEntry
		want    fault.Kind
	}{
		{f.Account.ID, does(store.ByUser, "createAgent"), ""}, // the last one
		{f.Account.ID, does(store.ByUser, "createAgent"), fault.RateLimited},
		{f.Account.ID, does(store.ByToken, "resumeApiExport"), fault.RateLimited},
		{f.Account.ID, does(store.ByUser, "removeAccountToken"), ""},
		{f.Account.ID, does(store.ByOperator, "export resume"), ""},
		{other.Account.ID, does(store.ByUser, "createAgent"), ""},
	} {
		err := s.RecordIn(store.Acting(t.Context(), c.by), c.account, "x")
		if err != nil && !fault.Is(err, c.want) || err == nil && c.want != "" {
			t.Errorf("%s %s: %v, want %q", c.by.Actor, c.by.Action, err, c.want)
		}
		if refusal, ok := errors.AsType[*fault.Error](err); ok && refusal.RetryAfter.Round(time.Hour) != time.Hour {
			t.Errorf("%s %s: retry after %s", c.by.Actor, c.by.Action, refusal.RetryAfter)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM audit_entries`); n != store.MaxChanges+20+3 {
		t.Errorf("%d entries", n)
	}
}
