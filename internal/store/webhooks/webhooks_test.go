package webhooks_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/webhooks"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lab is an account with an agent on a database with owners' webhooks.
type lab struct {
	storetest.Fixture
	url string
	db  *store.DB
	webhooks.Store
}

func newLab(t *testing.T) lab {
	t.Helper()
	url := storetest.URL(t)
	db, err := store.Open(t.Context(), store.Config{URL: url, Mail: true, Webhooks: true, OwnerWebhooks: true})
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return lab{storetest.Seed(t, db, storetest.Options{Credits: 10_000}), url, db, webhooks.On(db)}
}

// add creates a webhook of an account with events.
func (l lab) add(t *testing.T, account uuid.UUID, events ...notifications.Event) webhooks.Webhook {
	t.Helper()
	w, err := l.Create(t.Context(), account, webhooks.New{ID: uuid.Must(uuid.NewV7()), URL: "https://example.com/",
		Events: events, Secret: []byte("secret")})
	must(t, err)
	return w
}

// exchange begins n turns, one in each session, and settles them in a state.
func (l lab) exchange(t *testing.T, n int, state conversation.TurnState) (ids []string) {
	t.Helper()
	for range n {
		var id uuid.UUID
		storetest.BeginTurn(t, l.db, l.Key, func(b *turns.Begin) { id, b.Session = b.TurnID, "text-"+uuid.NewString() })
		storetest.FinishTurn(t, l.db, id, state)
		ids = append(ids, id.String())
	}
	return ids
}

// deliveries returns all deliveries of a webhook, the oldest first.
func (l lab) deliveries(t *testing.T, w webhooks.Webhook, failed *bool) []webhooks.Delivery {
	t.Helper()
	page, err := l.Deliveries(t.Context(), w.AccountID, w.ID, webhooks.DeliveryQuery{First: 100, Failed: failed})
	must(t, err)
	slices.Reverse(page.Items)
	return page.Items
}

// messages returns the ids of the messages in deliveries, and checks the fields of each.
func messages(t *testing.T, deliveries []webhooks.Delivery) (ids []string) {
	t.Helper()
	for _, d := range deliveries {
		var data struct {
			Messages []map[string]any `json:"messages"`
		}
		must(t, json.Unmarshal([]byte(d.Data), &data))
		if len(data.Messages) > 100 || strings.Contains(d.Data, "text-") {
			t.Errorf("%d messages in %s", len(data.Messages), d.Data)
		}
		for _, m := range data.Messages {
			want := "agent_id background conversation_id credits export_id message_id"
			if d.Event == notifications.MessageFailed {
				want = "agent_id background code conversation_id credits export_id message_id"
			}
			var fields []string
			for name := range m {
				fields = append(fields, name)
			}
			slices.Sort(fields)
			if got := strings.Join(fields, " "); got != want {
				t.Errorf("%s: fields %s", d.Event, got)
			}
			ids = append(ids, m["message_id"].(string))
		}
	}
	return ids
}

// TestWebhooks tests each change of a webhook and its audit entry.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	ctx := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByUser, Action: "change"})
	w := l.add(t, l.Account.ID, notifications.CreditsLow)
	for range 4 {
		l.add(t, l.Account.ID, notifications.CreditsLow)
	}
	_, err := l.Create(t.Context(), l.Account.ID, webhooks.New{ID: uuid.New(), Events: w.Events, Secret: []byte{1}})
	if list, _ := l.List(t.Context(), l.Account.ID); !fault.Is(err, fault.Conflict) || len(list) != 5 || list[0].ID != w.ID {
		t.Errorf("the sixth: %v; %d in the list", err, len(list))
	}
	l.exchange(t, 3, conversation.Answered)
	events := []notifications.Event{notifications.MessageCompleted}
	address := "https://example.com/moved"
	w, err = l.Update(ctx, w.AccountID, w.ID, webhooks.Change{URL: &address, Events: events, Paused: new(true)})
	if err != nil || w.URL != address || !slices.Equal(w.Events, events) || w.State != webhooks.StatePaused {
		t.Errorf("changed: %+v, %v", w, err)
	}
	must(t, storetest.ErrOnly(l.Update(ctx, w.AccountID, w.ID, webhooks.Change{Paused: new(true)})))
	w, err = l.Rotate(ctx, w.AccountID, w.ID, []byte("new"))
	if err != nil || w.PreviousSecretUntil == nil || time.Until(*w.PreviousSecretUntil) < 23*time.Hour {
		t.Errorf("rotated: %+v, %v", w, err)
	}
	must(t, storetest.ErrOnly(l.Update(ctx, w.AccountID, w.ID, webhooks.Change{Paused: new(false)})))
	must(t, storetest.ErrOnly(l.Test(ctx, w.AccountID, w.ID)))
	stopped, err := operator.On(l.db).StopWebhook(ctx, w.ID, true)
	if err != nil || stopped.State != webhooks.StateStopped || stopped.Waiting != 0 || stopped.Failed != 1 {
		t.Errorf("stopped: %+v, %v", stopped, err)
	}
	for _, c := range []webhooks.Change{{URL: &address}, {Paused: new(true)}, {Paused: new(false)}} {
		if _, err := l.Update(ctx, w.AccountID, w.ID, c); !fault.Is(err, fault.Conflict) {
			t.Errorf("a stopped one, %+v: %v", c, err)
		}
	}
	all, err := operator.On(l.db).Webhooks(ctx, uuid.Nil, 2)
	must(t, err)
	if rest, err := operator.On(l.db).Webhooks(ctx, all[1].ID, 9); len(all) != 2 || len(rest) != 3 || err != nil {
		t.Errorf("the operator's list: %d and %d, %v", len(all), len(rest), err)
	}
	allowed, err := operator.On(l.db).StopWebhook(ctx, w.ID, false)
	next, _, _ := l.Gather(ctx, uuid.Nil, 1)
	if err != nil || allowed.State != webhooks.StateOn || next != uuid.Nil {
		t.Errorf("allowed: %+v, %v; gathered for %s", allowed, err, next)
	}
	for what, change := range map[string]func(account uuid.UUID) error{
		"changed": func(id uuid.UUID) error { return storetest.ErrOnly(l.Update(ctx, id, w.ID, webhooks.Change{})) },
		"rotated": func(id uuid.UUID) error { return storetest.ErrOnly(l.Rotate(ctx, id, w.ID, []byte{1})) },
		"tested":  func(id uuid.UUID) error { return storetest.ErrOnly(l.Test(ctx, id, w.ID)) },
		"deleted": func(id uuid.UUID) error { return l.Delete(ctx, id, w.ID) },
	} {
		if err := change(uuid.New()); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s by another account: %v", what, err)
		}
	}
	must(t, l.Delete(ctx, w.AccountID, w.ID))
	trail, err := audit.On(l.db).Page(t.Context(), l.Account.ID, audit.Query{First: 100})
	must(t, err)
	var fields []string
	for _, e := range trail.Items {
		if e.Action == "change" {
			fields = append(fields, strings.Join(e.Fields, " "))
		}
	}
	slices.Reverse(fields)
	if got := strings.Join(fields, ","); got != "url events paused,,paused,,,," {
		t.Errorf("audit: %q", got)
	}
}

// TestSecretsAreEncryptedAgain tests that current and previous secrets of another key are found.
func TestSecretsAreEncryptedAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.CreditsLow)
	must(t, storetest.ErrOnly(l.Rotate(t.Context(), w.AccountID, w.ID, []byte("KEY new"))))
	found, err := l.SecretsToReencrypt(t.Context(), []byte("KEY"), uuid.Nil, 10)
	if err != nil || len(found) != 1 || string(found[0].Previous) != "secret" {
		t.Fatalf("%+v, %v", found, err)
	}
	after := webhooks.EncryptedSecrets{Secret: found[0].Secret, Previous: []byte("KEY old")}
	must(t, l.Reencrypt(t.Context(), found[0], after))
	if found, err := l.SecretsToReencrypt(t.Context(), []byte("KEY"), uuid.Nil, 10); len(found) != 0 || err != nil {
		t.Errorf("again: %+v, %v", found, err)
	}
}

// TestDeliveriesEnd: each webhook keeps its newest 1,000 rows and those that wait, and a deleted
// account none. The operator gets one event about the deletion.
func TestDeliveriesEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.CreditsLow)
	storetest.Exec(t, l.db, `INSERT INTO outbox (id, kind, message, address, webhook_id, data, due_at, sent_at)
		SELECT lpad(n::text, 32, '0')::uuid, 'OWNER_WEBHOOK', 'webhook.test', '', $1, '{}', CASE n WHEN 1 THEN now() END,
			CASE WHEN n > 1 THEN now() END FROM generate_series(1, 1010) n`, w.ID)
	if n, err := l.Purge(t.Context(), 100); n != 9 || err != nil {
		t.Errorf("purged %d, %v, want 9", n, err)
	}
	if n := storetest.CountRows(t, l.db, `SELECT count(*) FROM outbox WHERE webhook_id = $1
		AND id > lpad('10', 32, '0')::uuid`, w.ID); n != 1000 {
		t.Errorf("%d of the newest 1,000 rows are left", n)
	}
	must(t, erasure.On(l.db).DeleteAnyAccount(t.Context(), l.Account.ID, storetest.ByUser))
	if n := storetest.CountRows(t, l.db, `SELECT count(*) FROM outbox WHERE kind = 'OWNER_WEBHOOK'`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if n := storetest.CountRows(t, l.db, `SELECT count(*) FROM outbox WHERE kind = 'WEBHOOK' AND message = 'account.deleted'
		AND data->>'account_id' = $1::text`, l.Account.ID); n != 1 {
		t.Errorf("the operator gets %d events, want 1", n)
	}
}
