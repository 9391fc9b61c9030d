package graph_test

import (
	"strings"
	"testing"
)

// rows returns every row of tables as text, in order.
func rows(t *testing.T, b *bench, tables ...string) string {
	t.Helper()
	var out strings.Builder
	for _, table := range tables {
		var text string
		err := b.store.SQL().QueryRowContext(t.Context(),
			`SELECT coalesce(string_agg(r::text, E'\n' ORDER BY r::text), '') FROM `+table+` r`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(table + "\n" + text + "\n")
	}
	return out.String()
}

// everything is every row that a control panel's request could change.
func everything(t *testing.T, b *bench) string {
	t.Helper()
	return rows(t, b, "accounts", "users", "memberships", "invitations", "links", "agents",
		"knowledge_sources", "api_exports", "api_keys", "account_tokens", "sign_ins", "conversations",
		"turns", "credit_entries", "audit_entries", "webhooks", "outbox")
}
