package notifications_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// Once until there are more than 1.2 times as many.
func TestLowCreditsAreSentOnce(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{Credits: 100})
	low := int64(50)
	scanned(t, s)
	spend(t, s, f.Account.ID, 30)
	spend(t, s, f.Account.ID, 30)
	wantEvents(t, s, "where nothing is set", "")
	grant(t, s, f.Account.ID, 60)
	setLow(t, s, f.Account.ID, &low)
	spend(t, s, f.Account.ID, 49)
	wantEvents(t, s, "one above", "")
	spend(t, s, f.Account.ID, 1)
	wantEvents(t, s, "there", "credits.low 50 50")
	wantEvents(t, s, "again", "")
	grant(t, s, f.Account.ID, 10)
	wantEvents(t, s, "1.2 times", "")
	spend(t, s, f.Account.ID, 10)
	wantEvents(t, s, "down again", "")
	grant(t, s, f.Account.ID, 11)
	wantEvents(t, s, "above 1.2 times", "")
	storetest.Exec(t, s, `UPDATE accounts SET credits_held = 30 WHERE id = $1`, f.Account.ID)
	wantEvents(t, s, "with messages under way", "credits.low 31 50")
	setLow(t, s, f.Account.ID, nil)
	wantEvents(t, s, "switched off", "")
	storetest.SetAccountState(t, s, f.Account.ID, account.Suspended)
	storetest.Exec(t, s, `UPDATE accounts SET low_credits_at = 50 WHERE id = $1`, f.Account.ID)
	wantEvents(t, s, "suspended", "")
	storetest.SetAccountState(t, s, f.Account.ID, account.Active)
	wantEvents(t, s, "resumed", "credits.low 31 50")
}

// Used up is what does not cover another message like the last one.
func TestCreditsThatAreUsedUpAreSentOnce(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{Credits: 12})
	none := storetest.Seed(t, s, storetest.Options{Credits: -1})
	old := storetest.Seed(t, s, storetest.Options{Credits: 5})
	spend(t, s, old.Account.ID, 5)
	storetest.Exec(t, s, `ALTER TABLE credit_entries DISABLE TRIGGER ALL`)
	storetest.Exec(t, s, `UPDATE credit_entries SET created_at = created_at - interval '25 hours'`)
	wantEvents(t, s, "none yet, never any, and long ago", "")
	spend(t, s, f.Account.ID, 5)
	wantEvents(t, s, "enough for one more", "")
	spend(t, s, f.Account.ID, 5)
	wantEvents(t, s, "too few for one more", "credits.used_up 2")
	spend(t, s, f.Account.ID, 1)
	spend(t, s, f.Account.ID, 1)
	wantEvents(t, s, "cheaper ones until there is nothing", "")
	grant(t, s, f.Account.ID, 1)
	spend(t, s, f.Account.ID, 1)
	grant(t, s, none.Account.ID, 1)
	wantEvents(t, s, "a credit more, used up at once", "credits.used_up 0")
}

func TestLimitsThatAreNearAreSentOnceAPeriod(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{})
	day, month := int64(10), int64(21)
	_, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{
		DailyCreditLimit: agent.Change[int64]{Set: true, Value: &day}, MonthlyCreditLimit: agent.Change[int64]{Set: true, Value: &month}})
	if err != nil {
		t.Fatal(err)
	}
	use := func(period string, used int) {
		t.Helper()
		storetest.Exec(t, s, `UPDATE limit_counters
			SET used = $3, allowed = CASE period WHEN 'DAY' THEN 10 ELSE 21 END
			WHERE counted_for = $1 AND period = $2`, f.Export.ID, period, used)
	}
	use("DAY", 8)
	use("MONTH", 18)
	wantEvents(t, s, "below", "")
	use("DAY", 9)
	wantEvents(t, s, "90% of a day", "export.limit_near day 9 10")
	use("DAY", 10)
	use("MONTH", 19)
	wantEvents(t, s, "90% of a month", "export.limit_near month 19 21")
	use("DAY", 0)
	wantEvents(t, s, "less", "")
	use("DAY", 10)
	wantEvents(t, s, "again in the same day", "")
	storetest.Exec(t, s, `UPDATE notifications_sent
		SET about = 'DAY 2020-01-01', at = at - interval '41 days' WHERE about LIKE 'DAY%'`)
	wantEvents(t, s, "on another day", "export.limit_near day 10 10")
	if n, err := notifications.On(s).PurgeNotificationsSent(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
}

func TestKeysThatStopSoonAreSentOnce(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{})
	hint := one(t, s, `SELECT hint FROM api_keys WHERE export_id = $1`, f.Export.ID)
	stop := time.Now().Add(73 * time.Hour)
	storetest.Exec(t, s, `UPDATE api_keys SET stops_at = $1`, stop)
	wantEvents(t, s, "in more than three days", "")
	storetest.Exec(t, s, `UPDATE api_keys SET stops_at = $1`, stop.Add(-2*time.Hour))
	wantEvents(t, s, "in less", "key.stops_soon "+hint)
	wantEvents(t, s, "again", "")
	storetest.Exec(t, s, `UPDATE api_keys SET stops_at = $1`, stop.Add(-3*time.Hour))
	wantEvents(t, s, "at another time", "key.stops_soon "+hint)
	storetest.Exec(t, s, `UPDATE api_keys SET stops_at = NULL`)
	storetest.Exec(t, s, `UPDATE api_exports SET expires_at = $1`, stop.Add(-4*time.Hour))
	wantEvents(t, s, "with its export", "key.stops_soon "+hint)
	storetest.Exec(t, s, `UPDATE api_exports SET expires_at = now() - interval '1 minute'`)
	wantEvents(t, s, "that has stopped", "")
	storetest.Exec(t, s, `UPDATE api_exports SET expires_at = $1`, stop.Add(-5*time.Hour))
	storetest.Exec(t, s, `UPDATE api_keys SET removed_at = now()`)
	wantEvents(t, s, "that is removed", "")
}

// TestEventsAreSentOnceOverReplicas: replicas that scan at the same time send each event once, and
// no scan waits for a chat.
func TestEventsAreSentOnceOverReplicas(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := []*store.DB{open(t, url), open(t, url), open(t, url)}
	const n = 20
	low := int64(1000)
	for range n {
		f := storetest.Seed(t, replicas[0], storetest.Options{Credits: 1})
		spend(t, replicas[0], f.Account.ID, 1)
		setLow(t, replicas[0], f.Account.ID, &low)
	}
	ctx := context.WithoutCancel(t.Context())
	tx, err := replicas[0].SQL().BeginTx(ctx, nil) // as chats do
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, table := range []string{"accounts", "api_exports", "api_keys"} {
		must(t, storetest.ErrOnly(tx.ExecContext(ctx, `SELECT 1 FROM `+table+` FOR NO KEY UPDATE`)))
	}
	errs := make([]error, 3*4)
	var scans sync.WaitGroup
	for i := range errs {
		scans.Go(func() { errs[i] = scan(ctx, replicas[i%3]) })
	}
	scans.Wait()
	for _, err := range slices.Concat(errs, []error{scan(ctx, replicas[0])}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := one(t, replicas[0], `SELECT string_agg(line, ', ' ORDER BY line) FROM (
		SELECT kind || ' ' || message || ' ' || count(*) || ' ' || count(DISTINCT data->>'account_id') AS line FROM outbox GROUP BY kind, message
	) x WHERE line NOT LIKE '%signed_up%'`); got != "MAIL credits.low 20 20, MAIL credits.used_up 20 20, "+
		"WEBHOOK credits.low 20 20, WEBHOOK credits.used_up 20 20" {
		t.Errorf("sent: %s", got)
	}
}

// TestRecipientsOfEvents: each owner gets a mail, at most 20 an hour per address. A store that
// sends nothing queues nothing, and its scan does not mark the event as sent.
func TestRecipientsOfEvents(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, quiet := open(t, url), storetest.Open(t, url)
	f, other := storetest.Seed(t, s, storetest.Options{Credits: 1}), storetest.Seed(t, s, storetest.Options{})
	third := storetest.Seed(t, s, storetest.Options{})
	for role, userID := range map[string]uuid.UUID{"OWNER": other.Account.OwnerID, "EDITOR": third.Account.OwnerID} {
		storetest.Exec(t, s, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)`,
			f.Account.ID, userID, role)
	}
	spend(t, s, f.Account.ID, 1)
	storetest.Exec(t, s, `DELETE FROM outbox`)
	must(t, scan(t.Context(), quiet))
	count := func() string { return one(t, s, `SELECT count(*) || '' FROM outbox`) }
	if got := count(); got != "0" {
		t.Errorf("%s are queued where nothing is sent", got)
	}
	must(t, scan(t.Context(), s))
	want := []string{f.Account.Email, other.Account.Email}
	if got := one(t, s, `SELECT string_agg(address, ' ' ORDER BY address) FROM outbox WHERE kind = 'MAIL'`); got != want[0]+" "+want[1] &&
		got != want[1]+" "+want[0] {
		t.Errorf("sent to %s, want %v", got, want)
	}
	for range 30 {
		grant(t, s, f.Account.ID, 1)
		spend(t, s, f.Account.ID, 1)
		must(t, scan(t.Context(), s))
	}
	if got := one(t, s, `SELECT count(*) FILTER (WHERE kind = 'WEBHOOK') || ' ' || count(*) FILTER (WHERE address = $1) FROM outbox`,
		f.Account.Email); got != "31 20" {
		t.Errorf("webhooks and mails: %s", got)
	}
}

// TestMailIsTold: OnMail hears of each mail that was queued, and of none whose transaction was
// rolled back.
func TestMailIsTold(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	notified := 0
	s.OnMail(func() { notified++ })
	if err := notifications.On(s).QueueMail(t.Context(), notifications.PasswordReset, f.Account.Email); err != nil || notified != 1 {
		t.Errorf("queued: notified %d times, %v", notified, err)
	}
	link := users.Link{Purpose: notifications.VerifyAddress, UserID: f.Account.OwnerID, Email: f.Account.Email}
	if err := users.On(s).QueueLink(t.Context(), link); err != nil || notified != 2 {
		t.Errorf("a link: notified %d times, %v", notified, err)
	}
	unknown := audit.Entry{Actor: "unknown", Action: "requestVerification"}
	if err := users.On(s).QueueLink(t.Context(), link, unknown); err == nil || notified != 2 {
		t.Errorf("a link whose entry is refused: notified %d times, %v", notified, err)
	}
	change := accounts.MemberChange{AccountID: f.Account.ID, UserID: f.Account.OwnerID, By: uuid.New(), Notify: true}
	if err := accounts.On(s).RemoveMember(t.Context(), change, false); !fault.Is(err, fault.Conflict) || notified != 2 {
		t.Errorf("a removal that is refused: notified %d times, %v", notified, err)
	}
}
