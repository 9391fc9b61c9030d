package notifications_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
)

// BenchmarkScans measures the scans of a minute over 100,000 accounts. Each has a low-credit
// threshold, an export with both limits, a key that stops in ten days, and the counters of two end
// users. 1,000 accounts were charged since the last scan. The scans find no event.
func BenchmarkScans(b *testing.B) {
	s := open(b, storetest.URL(b))
	for _, query := range strings.Split(`
		CREATE TABLE n AS SELECT i, gen_random_uuid() AS account, gen_random_uuid() AS export FROM generate_series(1, 100000) i;
		INSERT INTO accounts (id, name, credit_balance, entry_count, low_credits_at) SELECT account, 'A', 1000, 5, 100 FROM n;
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, turn_id)
			SELECT gen_random_uuid(), account, j, 'CHARGE', -1, 1000, gen_random_uuid() FROM n, generate_series(1, 5) j;
		INSERT INTO credit_check_cursors SELECT account, 5 FROM n;
		INSERT INTO agents (id, account_id, name) SELECT account, account, 'A' FROM n;
		INSERT INTO api_exports (id, account_id, agent_id, name, daily_credit_limit, monthly_credit_limit)
			SELECT export, account, account, 'E', 100, 1000 FROM n;
		INSERT INTO api_keys (id, account_id, export_id, hash, hint, stops_at)
			SELECT gen_random_uuid(), account, export, sha256(export::text::bytea), 'agc_', now() + interval '10 days' FROM n;
		INSERT INTO limit_counters (counted_for, period, starts, user_hash, account_id, used, allowed)
			SELECT export, p.period, p.starts, p.hash, account, 50, 1000 FROM n CROSS JOIN (VALUES
				('DAY', (now() AT TIME ZONE 'UTC')::date, ''::bytea), ('MONTH', date_trunc('month', now() AT TIME ZONE 'UTC')::date, ''),
				('USER_DAY', (now() AT TIME ZONE 'UTC')::date, '1'), ('USER_DAY', (now() AT TIME ZONE 'UTC')::date, '2')) p(period, starts, hash);
		DROP TABLE n; VACUUM ANALYZE`, ";") {
		storetest.Bulk(b, s, query)
	}
	events := notifications.On(s)
	for name, scan := range map[string]func(context.Context, int) (int, error){"low": events.NotifyLowCredits,
		"used up": events.NotifyUsedUp, "limits": events.NotifyLimits, "keys": events.NotifyKeys} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				storetest.Bulk(b, s, `UPDATE credit_check_cursors SET entries = 4
					WHERE account_id IN (SELECT account_id FROM credit_check_cursors LIMIT 1000)`)
				b.StartTimer()
				if _, err := scan(b.Context(), 5000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if err := s.SQL().QueryRowContext(b.Context(), `SELECT 1 FROM outbox LIMIT 1`).Scan(new(int)); err == nil {
		b.Error("a scan sent a notification")
	}
}
