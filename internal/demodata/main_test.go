package main

import (
	"encoding/json"
	"testing"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// TestMove shows that the ledger, the audit trail, requests and usage of one account move into the
// past together, and that the first two stay append-only.
func TestMove(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, address)
	moved, kept := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	for _, f := range []storetest.Fixture{moved, kept} {
		ctx := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByOperator, Action: "account suspend"})
		if _, err := operator.On(s).SuspendAccount(ctx, f.Account.ID, true); err != nil {
			t.Fatal(err)
		}
		refused := conversations.RejectedRequest{
			Key:       f.Key.Hash(),
			At:        f.Account.CreatedAt,
			RequestID: "r",
			Status:    400,
			Code:      "invalid_request",
		}
		if err := conversations.On(s).RecordRejected(t.Context(), []conversations.RejectedRequest{refused}); err != nil {
			t.Fatal(err)
		}
	}
	steps := json.RawMessage(`[{"since": 0, "ago": 864000000}]`)
	if err := move(t.Context(), address, moved.Account.ID.String(), steps); err != nil {
		t.Fatal(err)
	}
	for table, column := range map[string]string{
		"credit_entries": "created_at", "audit_entries": "at", "rejected_requests": "created_at",
		"usage_rollups": "start", "agents": "created_at",
	} {
		var old, all int
		query := `SELECT count(*) FILTER (WHERE ` + column + ` < now() - interval '9 days'), count(*)
			FROM ` + table + ` WHERE account_id = $1`
		for f, want := range map[*storetest.Fixture]bool{&moved: true, &kept: false} {
			if err := s.SQL().QueryRowContext(t.Context(), query, f.Account.ID).Scan(&old, &all); err != nil {
				t.Fatal(err)
			}
			if all == 0 || want && old != all || !want && old != 0 {
				t.Errorf("%s: %d of %d rows are old, want all: %t", table, old, all, want)
			}
		}
	}
	for _, table := range []string{"credit_entries", "audit_entries"} {
		if _, err := s.SQL().ExecContext(t.Context(), `UPDATE `+table+` SET account_id = account_id`); err == nil {
			t.Errorf("%s can be changed afterwards", table)
		}
	}
	storetest.Audit(t, s)
}
