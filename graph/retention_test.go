package graph_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/storetest"
)

const (
	setRetention = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) {
		account { retentionDays serviceRetentionDays rejectedRequestDays } } }`
	newDownload = `mutation { createAccountDownload { url expiresAt } }`
)

// TestRetentionDays tests that owners set a retention up to the service's limit, and clear it. Only a
// change that can delete more needs recent reauthentication.
func TestRetentionDays(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t, func(o *options) { o.graph.Info.RetentionDays = 30 }))
	unlimited := signedIn(t, newBench(t))
	set := func(u *user, days any) answer {
		t.Helper()
		return u.do(t, setRetention, vars{"input": vars{"retentionDays": days}})
	}
	const field = "updateAccount.account.retentionDays"
	expireReauthentication(t, u.b)
	set(u, 30).want(t, "the first, stale", http.StatusOK, "REAUTHENTICATION_REQUIRED")
	set(u, nil).wantValues(t, "none again", map[string]any{field: nil, "updateAccount.account.serviceRetentionDays": 30})
	u.do(t, confirm, vars{"password": password}).wantNone(t, "confirm")
	set(u, 1).wantValues(t, "the first", map[string]any{field: 1, "updateAccount.account.rejectedRequestDays": 1})
	for _, bad := range []int{0, -1, 31} {
		a := set(u, bad)
		if a.wantFields(t, "out of range", "retentionDays out_of_range"); !strings.Contains(a.body, "Enter 1 to 30 days.") {
			t.Errorf("%d: %s", bad, a.body)
		}
	}
	expireReauthentication(t, u.b)
	set(u, 20).wantValues(t, "longer", map[string]any{field: 20, "updateAccount.account.rejectedRequestDays": 2})
	set(u, 19).want(t, "shorter", http.StatusOK, "REAUTHENTICATION_REQUIRED")
	u.do(t, setRetention, vars{"input": vars{"name": "Grace"}}).wantValues(t, "absent", map[string]any{field: 20})
	set(u, nil).wantValues(t, "cleared", map[string]any{field: nil})
	set(unlimited, account.MaxRetentionDays).wantValues(t, "without a limit",
		map[string]any{field: account.MaxRetentionDays, "updateAccount.account.serviceRetentionDays": nil})
	set(unlimited, account.MaxRetentionDays+1).wantFields(t, "too long", "retentionDays out_of_range")
	if n := storetest.CountRows(t, u.b.store, `SELECT count(*) FROM audit_entries
		WHERE action = 'updateAccount' AND fields = '{retentionDays}'`); n != 3 {
		t.Errorf("%d entries in the audit trail", n)
	}
}

// TestRetentionPreview tests that the shorter of the given and the service's days counts.
func TestRetentionPreview(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t, func(o *options) { o.graph.Info.RetentionDays = 30 }))
	u.try(t, uuid.MustParse(u.live(t)), "session", "hello")
	u.b.exec(t, `UPDATE conversations SET last_turn_at = now() - interval '40 days'`)
	const query, field = `query($days: Int!) { viewer { retentionPreview(days: $days) { conversations more } } }`, "viewer.retentionPreview."
	for _, days := range []int{1, 39, 36_500} {
		u.do(t, query, vars{"days": days}).wantValues(t, "a preview", map[string]any{field + "conversations": 1, field + "more": false})
	}
	for _, bad := range []int{0, 36_501} {
		u.do(t, query, vars{"days": bad}).wantFields(t, "out of range", "days out_of_range")
	}
}

// TestAccountDownload tests that a link works for a minute, and that an account gets ten a day.
func TestAccountDownload(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	for range 10 {
		a := u.do(t, newDownload, nil).wantNone(t, "a link")
		expires, err := time.Parse(time.RFC3339, a.text(t, "createAccountDownload.expiresAt"))
		if left := time.Until(expires); err != nil || left > time.Minute || left < 30*time.Second {
			t.Errorf("the link works for %s, %v", left, err)
		}
		const start = "http://localhost:8080/download/account?token="
		link := a.text(t, "createAccountDownload.url")
		d, ok := b.tokens.ParseDownload(strings.TrimPrefix(link, start))
		if !ok || d.AccountID != u.account.ID || d.UserID != u.account.OwnerID {
			t.Errorf("%s is for %+v", link, d)
		}
		b.log.wantNoSecrets(t, strings.TrimPrefix(link, start))
	}
	u.do(t, newDownload, nil).want(t, "an eleventh", http.StatusOK, "RATE_LIMITED")
	signedIn(t, b).do(t, newDownload, nil).wantNone(t, "another account")
}
