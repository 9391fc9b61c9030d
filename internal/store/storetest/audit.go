package storetest

import (
	"testing"

	"agentchat/internal/store"
)

// Audit checks in one snapshot that the books are exact: every balance is the sum of its history and its numbers have no gap,
// every hold is the sum of the pending turns, no conversation has two of them, turns are numbered without gaps, and every
// answered turn has exactly one charge and every other none. The conversations that were deleted count with the charges they
// left.
func Audit(t testing.TB, s *store.Store) {
	t.Helper()
	rows, err := s.DB().QueryContext(t.Context(), auditSQL)
	must(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var what, id, detail string
		must(t, rows.Scan(&what, &id, &detail))
		t.Errorf("audit: %s: %s: %s", what, id, detail)
	}
	must(t, rows.Err())
}

const auditSQL = `
SELECT 'balance is not the sum of the history', a.id::text, a.credit_balance || ' against ' || coalesce(sum(e.amount), 0)
FROM accounts a LEFT JOIN credit_entries e ON e.account_id = a.id GROUP BY a.id HAVING a.credit_balance <> coalesce(sum(e.amount), 0)
UNION ALL
SELECT 'held is not the sum of the pending turns', a.id::text, a.credits_held || ' against ' || coalesce(sum(t.price), 0)
FROM accounts a LEFT JOIN turns t ON t.account_id = a.id AND t.state = 'PENDING' GROUP BY a.id
HAVING a.credits_held <> coalesce(sum(t.price), 0)
UNION ALL
SELECT 'history numbers have a gap', a.id::text, count(e.id) || ' entries, counted ' || a.entry_count
FROM accounts a LEFT JOIN credit_entries e ON e.account_id = a.id GROUP BY a.id
HAVING count(e.id) <> a.entry_count OR coalesce(max(e.number), 0) <> a.entry_count
UNION ALL
SELECT 'balance_after is not the running sum', e.id::text, e.balance_after::text
FROM (SELECT id, balance_after, sum(amount) OVER (PARTITION BY account_id ORDER BY number) AS running FROM credit_entries) e
WHERE e.balance_after <> e.running
UNION ALL
SELECT 'more than one pending turn', conversation_id::text, count(*)::text FROM turns WHERE state = 'PENDING'
GROUP BY conversation_id HAVING count(*) > 1
UNION ALL
SELECT 'turn numbers have a gap', c.id::text, count(t.id) || ' turns, counted ' || c.turn_count
FROM conversations c LEFT JOIN turns t ON t.conversation_id = c.id WHERE c.deleted_at IS NULL GROUP BY c.id
HAVING count(t.id) <> c.turn_count OR coalesce(max(t.number), 0) <> c.turn_count
UNION ALL
SELECT 'answered turn without exactly one charge', t.id::text, count(e.id)::text
FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id AND e.kind = 'CHARGE' AND e.amount = -t.price
WHERE t.state = 'ANSWERED' GROUP BY t.id HAVING count(e.id) <> 1
UNION ALL
SELECT 'charge for a turn that was not answered', t.id::text, t.state
FROM turns t JOIN credit_entries e ON e.turn_id = t.id WHERE t.state <> 'ANSWERED'`
