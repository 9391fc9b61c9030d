package webhooks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/webhooks"
)

// claim takes deliveries and returns their webhooks, in the order of their ids.
func (l lab) claim(t *testing.T, limit, perAccount int, inFlight ...uuid.UUID) []webhooks.Outgoing {
	t.Helper()
	claimed, err := l.Claim(t.Context(), limit, perAccount, inFlight)
	must(t, err)
	slices.SortFunc(claimed, func(a, b webhooks.Outgoing) int { return strings.Compare(a.WebhookID.String(), b.WebhookID.String()) })
	return claimed
}

func webhookIDs(claimed []webhooks.Outgoing) (ids []uuid.UUID) {
	for _, o := range claimed {
		ids = append(ids, o.WebhookID)
	}
	return ids
}

// TestClaim: a claim takes one delivery of a webhook and two of an account at most, and none of
// suspended accounts or of webhooks that pause or are not ON.
func TestClaim(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	other := storetest.Seed(t, l.db, storetest.Options{})
	var ids []uuid.UUID
	for i := range 4 {
		w := l.add(t, []uuid.UUID{l.Account.ID, other.Account.ID}[i/3], notifications.CreditsLow)
		ids = append(ids, w.ID)
		for range 3 {
			must(t, storetest.ErrOnly(l.Test(t.Context(), w.AccountID, w.ID)))
		}
	}
	check := func(what string, got []webhooks.Outgoing, want ...uuid.UUID) {
		t.Helper()
		if !slices.Equal(webhookIDs(got), want) {
			t.Errorf("%s: %v, want %v of %v", what, webhookIDs(got), want, ids)
		}
	}
	first := l.claim(t, 16, 2)
	check("at first", first, ids[0], ids[1], ids[3])
	check("with two of the account in flight", l.claim(t, 16, 2, webhookIDs(first)...))
	check("with one of the account in flight", l.claim(t, 16, 2, ids[0], ids[3]), ids[1])
	storetest.SetAccountState(t, l.db, other.Account.ID, account.Suspended)
	must(t, storetest.ErrOnly(l.Update(t.Context(), l.Account.ID, ids[1], webhooks.Change{Paused: new(true)})))
	must(t, l.Record(t.Context(), first[0], webhooks.Try{Reason: webhooks.TimedOut}))
	check("suspended, paused, waiting after a failure", l.claim(t, 16, 2), ids[2])
	storetest.SetAccountState(t, l.db, other.Account.ID, account.Active)
	storetest.Exec(t, l.db, `UPDATE webhooks SET wait_until = NULL`)
	check("the last try failed", l.claim(t, 2, 2), ids[2], ids[3])
	must(t, l.Release(t.Context(), first[1]))
	if err := l.Release(t.Context(), first[1]); !fault.Is(err, fault.NotFound) {
		t.Errorf("released twice: %v", err)
	}
}

// TestWebhooksTakeTurns: a webhook whose events have waited for longer is not served again before
// others, of its account or of another one.
func TestWebhooksTakeTurns(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	other := storetest.Seed(t, l.db, storetest.Options{})
	var ids []uuid.UUID
	for i, account := range []uuid.UUID{l.Account.ID, l.Account.ID, other.Account.ID} {
		w := l.add(t, account, notifications.CreditsLow)
		ids = append(ids, w.ID)
		for range 3 - i {
			must(t, storetest.ErrOnly(l.Test(t.Context(), w.AccountID, w.ID)))
		}
	}
	var got []uuid.UUID
	for range 5 {
		claimed := l.claim(t, 1, 1)
		got = append(got, claimed[0].WebhookID)
		must(t, l.Record(t.Context(), claimed[0], webhooks.Try{Status: 200}))
	}
	if want := []uuid.UUID{ids[0], ids[1], ids[2], ids[0], ids[1]}; !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
}

// TestRecord tests the tries of a delivery, and that failures switch a webhook off.
func TestRecord(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.CreditsLow)
	try := func(r webhooks.Try) webhooks.Webhook {
		t.Helper()
		storetest.Exec(t, l.db, `UPDATE webhooks SET wait_until = NULL`)
		storetest.Exec(t, l.db, `UPDATE outbox SET due_at = now() WHERE due_at IS NOT NULL`)
		must(t, l.Record(t.Context(), l.claim(t, 1, 1)[0], r))
		now, err := l.Webhook(t.Context(), w.AccountID, w.ID)
		must(t, err)
		return now
	}
	test := func() uuid.UUID {
		t.Helper()
		d, err := l.Test(t.Context(), w.AccountID, w.ID)
		must(t, err)
		return d.ID
	}
	id := test()
	refused := webhooks.Try{Status: 500, Took: time.Second, Reason: webhooks.BadStatus}
	for n := range 8 {
		if w := try(refused); w.State != webhooks.StateOn || w.FailingSince == nil {
			t.Fatalf("after try %d: %+v", n+1, w)
		}
	}
	d := l.deliveries(t, w, new(true))
	if len(d) != 1 || d[0].Tries != 8 || *d[0].Status != 500 || *d[0].TookMS != 1000 ||
		*d[0].Error != webhooks.BadStatus || d[0].NextTryAt != nil {
		t.Errorf("after the last try: %+v", d)
	}
	must(t, storetest.ErrOnly(l.RetryDelivery(t.Context(), w.AccountID, id)))
	_, err := l.RetryDelivery(t.Context(), w.AccountID, id)
	if now := try(webhooks.Try{Status: 204}); !fault.Is(err, fault.Conflict) || now.FailingSince != nil {
		t.Errorf("retried twice: %v; after a success: %+v", err, now)
	}
	if d := l.deliveries(t, w, new(false)); len(d) != 1 || d[0].SentAt == nil || d[0].Error != nil || d[0].Tries != 1 {
		t.Errorf("after a success: %+v", d)
	}
	for what, end := range map[string]func() webhooks.Webhook{
		"410": func() webhooks.Webhook { return try(webhooks.Try{Status: 410, Reason: webhooks.BadStatus}) },
		"3 days": func() webhooks.Webhook {
			storetest.Exec(t, l.db, `UPDATE webhooks SET failing_since = now() - interval '73 hours'`)
			return try(refused)
		},
	} {
		test()
		test()
		if now := end(); now.State != webhooks.StateFailing || len(l.deliveries(t, w, new(true))) != 2 {
			t.Errorf("%s: %+v, %+v", what, now, l.deliveries(t, w, nil))
		}
		n := storetest.CountRows(t, l.db, `SELECT count(*) FROM outbox WHERE message = 'WEBHOOK_FAILING' AND address = $1`, l.Account.Email)
		if _, err := l.Test(t.Context(), w.AccountID, w.ID); n != 1 || !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: %d mails; a test: %v", what, n, err)
		}
		storetest.Exec(t, l.db, `DELETE FROM outbox WHERE failed_at IS NOT NULL OR kind = 'MAIL'`)
		now, err := l.Update(t.Context(), w.AccountID, w.ID, webhooks.Change{Paused: new(false)})
		if err != nil || now.State != webhooks.StateOn || now.FailingSince != nil {
			t.Errorf("%s: resumed: %+v, %v", what, now, err)
		}
	}
}

// TestFormerAddress: a failure at an address that was replaced meanwhile does not stop the new one.
func TestFormerAddress(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.add(t, l.Account.ID, notifications.CreditsLow)
	must(t, storetest.ErrOnly(l.Test(t.Context(), w.AccountID, w.ID)))
	claimed := l.claim(t, 1, 1)
	must(t, storetest.ErrOnly(l.Update(t.Context(), w.AccountID, w.ID, webhooks.Change{URL: new("https://new.example.com/")})))
	must(t, l.Record(t.Context(), claimed[0], webhooks.Try{Status: 410, Reason: webhooks.BadStatus}))
	if w, err := l.Webhook(t.Context(), w.AccountID, w.ID); err != nil || w.State != webhooks.StateOn || w.FailingSince != nil {
		t.Errorf("the new address: %+v, %v", w, err)
	}
}
