package admin_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
)

// TestEachRequestLeavesOneEntry checks that each request that changes something adds one audit
// entry, with the name of the equivalent command and of X-Operator. A request that changes nothing
// adds none.
func TestEachRequestLeavesOneEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	account := b.fixture.Account.ID
	storetest.SetOwnLimit(t, b.store, b.fixture, "u", new(5))
	b.operator = "  Grace\u200b H. " + strings.Repeat("é", 100)
	hook := b.webhook()
	covered := 2 // POST /accounts and /invitation: see TestOpenAccount
	for _, c := range []struct{ method, path, body, command string }{
		{http.MethodPost, "/suspend", "", "account suspend"},
		{http.MethodPost, "/resume", "", "account resume"},
		{http.MethodPost, "/credits", `{"amount": 7, "note": "Invoice 7", "reference": "7"}`, "credits grant"},
		{http.MethodPost, "/credits", `{"kind": "ADJUSTMENT", "amount": -7, "note": "n", "reference": "8"}`, "credits adjust"},
		{http.MethodDelete, "/end-users/u", "", "end-user delete"},
		{http.MethodPost, "/stop", "", "webhook stop"},
		{http.MethodPost, "/allow", "", "webhook allow"},
		{http.MethodDelete, "", "", "account delete"},
	} {
		for _, entries := range []int{1, 0} {
			before := b.entries(account)
			path, subject := b.path(c.path), account
			if strings.HasPrefix(c.command, "webhook") {
				path, subject = "/admin/v1/webhooks/"+hook.String()+c.path, hook
			}
			b.send(c.method, path, token, c.body)
			after := b.entries(account)
			if len(after) != len(before)+entries {
				t.Fatalf("%s left %d entries, want %d", c.command, len(after)-len(before), entries)
			}
			if e := after[0]; e.Action != c.command || e.Actor != audit.ByOperator || e.Subject != subject.String() ||
				e.ActorID != nil || e.Operator != "Grace H. "+strings.Repeat("é", 91) {
				t.Errorf("%s: %+v", c.command, e)
			}
		}
		covered++
	}
	changing := 0
	for _, path := range b.spec.Paths.Map() {
		for method := range path.Operations() {
			if method != http.MethodGet {
				changing++
			}
		}
	}
	if changing+1 != covered { // credits are granted and adjusted
		t.Errorf("%d requests change something, and this test knows %d", changing, covered-1)
	}
}

// TestHostileOperators checks that the request succeeds and the stored name is printable, whatever
// the header contains.
func TestHostileOperators(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, name := range hostileTexts {
		b.operator = strings.Map(func(r rune) rune { // net/http refuses to send control characters
			if r < ' ' || r == '\x7f' {
				return ' '
			}
			return r
		}, name)
		b.post(b.path([]string{"/suspend", "/resume"}[i%2]), "")
		got := b.entries(b.fixture.Account.ID)[0].Operator
		if len([]rune(got)) > 100 || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%.100q became %q", name, got)
		}
	}
}

// entries returns the newest entries of an account's audit trail.
func (b *bench) entries(account uuid.UUID) []audit.Entry {
	b.Helper()
	page, err := audit.On(b.store).Page(b.Context(), account, audit.Query{First: store.MaxPage})
	if err != nil {
		b.Fatal(err)
	}
	return page.Items
}
