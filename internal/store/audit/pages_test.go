package audit_test

import (
	"testing"
	"time"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
)

// TestAuditPagesAreReadByIndex tests that a page reads as much of a trail of 40,000 entries as of
// one of 40, whatever the filter. Both have the same number of the member's own entries; where few
// match, all of those are read.
func TestAuditPagesAreReadByIndex(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	short, long := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	for f, n := range map[*storetest.Fixture]int{&short: 40, &long: 40_000} {
		storetest.Exec(t, s,
			`UPDATE memberships SET created_at = '2026-01-01' WHERE account_id = $1`, f.Account.ID)
		// 20 are of a sign-in; one in 20 is rare, and the oldest is of an actor of its own.
		storetest.Bulk(t, s,
			`INSERT INTO audit_entries (id, user_id, account_id, actor, actor_id, action, subject, fields, at)
			SELECT (lpad(to_hex(1767225600000 + n * 1000::bigint), 12, '0') || '7000' || substr(md5($1::text || n), 17))::uuid,
				CASE WHEN own THEN $2::uuid END, CASE WHEN NOT own THEN $1::uuid END, 'USER',
				CASE WHEN NOT own THEN CASE n WHEN 1 THEN $1::uuid ELSE $2::uuid END END,
				CASE WHEN n % 40 < 2 THEN 'rare' ELSE 'action ' || n % 30 END, 'x', '{}', to_timestamp(1767225600 + n)
			FROM generate_series(1, $3::int) n, LATERAL (SELECT n <= 40 AND n % 2 = 0) x(own)`,
			f.Account.ID, f.Account.OwnerID, n)
	}
	// Between them are entries of many accounts and users, or the whole table would be as good as an
	// index.
	storetest.Bulk(t, s,
		`INSERT INTO audit_entries (id, user_id, account_id, actor, actor_id, action, subject, fields, at)
		SELECT (lpad(to_hex(1767225600000 + n * 1000::bigint), 12, '0') || '7000' || substr(md5('other' || n), 17))::uuid,
			CASE n % 2 WHEN 0 THEN who END, CASE n % 2 WHEN 1 THEN who END, 'USER', who, 'action ' || n % 30, 'x', '{}', to_timestamp(1767225600 + n)
		FROM generate_series(1, 80000) n, LATERAL (SELECT md5((n % 2000)::text)::uuid) x(who)`)
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	p, cost := storetest.Planner(t, url)
	blocks := func(f storetest.Fixture, q audit.Query) float64 {
		t.Helper()
		q.First = 1
		got := cost(func() error {
			_, err := audit.On(p).Page(t.Context(), f.Account.ID, q)
			return err
		})
		if len(got.Scanned) > 0 && got.Scanned[0] == "audit_entries" {
			t.Errorf("%+v reads %v from end to end", q, got.Scanned)
		}
		return got.Blocks
	}
	at := time.Unix(1767225620, 0)
	past := at.Add(time.Second)
	for what, q := range map[string]func(f storetest.Fixture) audit.Query{
		"all":          func(storetest.Fixture) audit.Query { return audit.Query{} },
		"a rare one":   func(storetest.Fixture) audit.Query { return filtered(audit.Filter{Action: "rare"}) },
		"none":         func(storetest.Fixture) audit.Query { return filtered(audit.Filter{Action: "signUp"}) },
		"a rare actor": func(f storetest.Fixture) audit.Query { return filtered(audit.Filter{ActorID: &f.Account.ID}) },
		"a member": func(f storetest.Fixture) audit.Query {
			return filtered(audit.Filter{ActorID: &f.Account.OwnerID})
		},
		"long ago": func(storetest.Fixture) audit.Query { return filtered(audit.Filter{From: &at, To: &past}) },
	} {
		if few, many := blocks(short, q(short)), blocks(long, q(long)); few > 60 || many > few+30 {
			t.Errorf("%s: %v pages of a long trail, %v of a short one", what, many, few)
		} else {
			t.Logf("%s: %v pages of a long trail, %v of a short one", what, many, few)
		}
	}
}

func filtered(f audit.Filter) audit.Query { return audit.Query{Filter: f} }
