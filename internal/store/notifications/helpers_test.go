package notifications_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open opens a store with mail and webhooks.
func open(t testing.TB, url string) *store.DB {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: url, Mail: true, Webhooks: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// scan runs all scans, as the background does.
func scan(ctx context.Context, s *store.DB) error {
	events := notifications.On(s)
	for _, notify := range []func(context.Context, int) (int, error){
		events.NotifyLowCredits, events.NotifyUsedUp, events.NotifyLimits, events.NotifyKeys,
	} {
		if _, err := notify(ctx, 100); err != nil {
			return err
		}
	}
	return nil
}

// scanned runs all scans and takes the events that they queued from the outbox, in order, each with
// its data. It checks that each is queued once for the operator and once for the owner.
func scanned(t *testing.T, s *store.DB) string {
	t.Helper()
	must(t, scan(t.Context(), s))
	rows := map[notifications.Kind][]string{}
	for _, kind := range []notifications.Kind{notifications.WebhookKind, notifications.MailKind} {
		found, err := notifications.On(s).Unsent(t.Context(), kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			var data map[string]any
			must(t, json.Unmarshal([]byte(m.Data), &data))
			text := string(m.Message)
			if text == string(notifications.SignedUp) { // for the operator alone
				continue
			}
			for _, name := range []string{"credits_available", "low_credits_at", "period", "used", "limit", "key_hint"} {
				if value, ok := data[name]; ok {
					text += fmt.Sprint(" ", value)
				}
			}
			if (kind == notifications.MailKind) == strings.Contains(m.Address, "@") {
				rows[kind] = append(rows[kind], text)
			}
		}
	}
	storetest.Exec(t, s, `DELETE FROM outbox`)
	if fmt.Sprint(rows[notifications.WebhookKind]) != fmt.Sprint(rows[notifications.MailKind]) {
		t.Errorf("webhooks and mails differ: %v, %v", rows[notifications.WebhookKind], rows[notifications.MailKind])
	}
	return strings.Join(rows[notifications.WebhookKind], ", ")
}

func wantEvents(t *testing.T, s *store.DB, what, want string) {
	t.Helper()
	if got := scanned(t, s); got != want {
		t.Errorf("%s: sent %q, want %q", what, got, want)
	}
}

// spend takes credits as an answered message of a price does.
func spend(t *testing.T, s *store.DB, id uuid.UUID, price int64) {
	t.Helper()
	storetest.Exec(t, s, `
		WITH a AS (UPDATE accounts SET credit_balance = credit_balance - $2::bigint, entry_count = entry_count + 1 WHERE id = $1
			RETURNING id, entry_count, credit_balance)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, turn_id)
		SELECT gen_random_uuid(), a.id, a.entry_count, 'CHARGE', -$2::bigint, a.credit_balance,
			gen_random_uuid() FROM a`, id, price)
}

func grant(t *testing.T, s *store.DB, id uuid.UUID, amount int64) {
	t.Helper()
	if _, err := credits.On(s).GrantCredits(t.Context(), credits.Grant{AccountID: id, Amount: amount, Reference: uuid.NewString()}); err != nil {
		t.Fatal(err)
	}
}

func setLow(t *testing.T, s *store.DB, id uuid.UUID, at *int64) {
	t.Helper()
	changed, err := accounts.On(s).UpdateAccount(t.Context(), id, accounts.AccountChange{LowCreditsAt: agent.Change[int64]{Set: true, Value: at}})
	if err != nil || (changed.LowCreditsAt == nil) != (at == nil) || at != nil && *changed.LowCreditsAt != *at {
		t.Fatalf("%+v, %v", changed, err)
	}
}

// one returns the text of a query.
func one(t *testing.T, s *store.DB, query string, args ...any) (text string) {
	t.Helper()
	must(t, s.SQL().QueryRowContext(t.Context(), query, args...).Scan(&text))
	return text
}
