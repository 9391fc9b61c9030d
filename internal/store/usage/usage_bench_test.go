package usage_test

import (
	"testing"
	"time"

	"agentchat/internal/credit"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/usage"
)

// BenchmarkUsage rolls up a million charges of a year and 25 agents, and reads them by day and
// agent.
func BenchmarkUsage(b *testing.B) {
	const charges, agents = 1_000_000, 25
	s := storetest.New(b)
	f := storetest.Seed(b, s, storetest.Options{Credits: -1})
	storetest.Exec(b, s, `INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), $1, 'Agent' FROM generate_series(2, $2)`, f.Account.ID, agents)
	storetest.Bulk(b, s, `
		WITH a AS MATERIALIZED (SELECT array_agg(id) AS ids FROM agents), charged AS (
			INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, agent_name, turn_id, created_at)
			SELECT gen_random_uuid(), $1, n, 'CHARGE', -1, 0, a.ids[1 + n % 7919 * 31 % $3], 'Agent', gen_random_uuid(),
				timestamptz '2025-06-01' + n / $2::float8 * interval '1 year'
			FROM a, generate_series(1, $2) n RETURNING *
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline, created_at, settled_at, duration_ms, input_tokens, output_tokens)
		SELECT turn_id, account_id, agent_id, gen_random_uuid(), 'API', 1, 'ANSWERED', 'hello', 'hi', 'm', 1, number::text, created_at, created_at,
			created_at, number % 3000, 10, 20 FROM charged`, f.Account.ID, charges, agents)
	storetest.Exec(b, s, `UPDATE accounts SET entry_count = $1`, charges)
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	if _, err := usage.On(s).RollUpCharges(b.Context(), 1, 10); err != nil {
		b.Fatal(err)
	}
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	for what, latencies := range map[string]bool{"without latencies": false, "with latencies": true} {
		b.Run(what, func(b *testing.B) {
			for b.Loop() {
				rows, err := usage.On(s).UsageRows(b.Context(), f.Account.ID, usage.Query{
					Filter:  usage.Filter{From: storetest.Time("2025-05-31T22:00:00Z"), To: storetest.Time("2026-05-31T22:00:00Z")},
					SplitBy: []credit.Dimension{credit.ByAgent}, Interval: credit.Day, Zone: berlin, Latencies: latencies})
				if err != nil || len(rows) < 300 {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}
