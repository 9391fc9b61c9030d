package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"agentchat/internal/admin"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
)

// TestEachRequestLeavesOneEntry checks that each request that changes something adds one audit
// entry, with the name of the equivalent command and of X-Operator. A request that changes nothing
// adds none.
func TestEachRequestLeavesOneEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	account := b.fixture.Account.ID
	if _, err := conversations.On(b.store).SetEndUserLimit(t.Context(), account, "u", new(5)); err != nil {
		t.Fatal(err)
	}
	covered := 2 // POST /accounts and /invitation: see TestOpeningAnAccountLeavesEntries
	for _, c := range []struct{ method, path, body, command string }{
		{http.MethodPost, "/suspend", "", "account suspend"}, {http.MethodPost, "/resume", "", "account resume"},
		{http.MethodPost, "/credits", `{"amount": 7, "note": "Invoice 7", "reference": "7"}`, "credits grant"},
		{http.MethodPost, "/credits", `{"kind": "ADJUSTMENT", "amount": -7, "note": "n", "reference": "8"}`, "credits adjust"},
		{http.MethodDelete, "/end-users/u", "", "end-user delete"}, {http.MethodDelete, "", "", "account delete"},
	} {
		for time, entries := range []int{1, 0} {
			before := b.entries()
			if status := b.as("  Grace\u200b H. "+strings.Repeat("é", 100), c.method, c.path, c.body); status != http.StatusOK && time == 0 {
				t.Fatalf("%s: %d", c.command, status)
			}
			after := b.entries()
			if len(after) != len(before)+entries {
				t.Fatalf("%s left %d entries, want %d", c.command, len(after)-len(before), entries)
			}
			if e := after[0]; e.Action != c.command || e.Actor != audit.ByOperator || e.Subject != account.String() || e.ActorID != nil ||
				e.Operator != "Grace H. "+strings.Repeat("é", 91) {
				t.Errorf("%s: %+v", c.command, e)
			}
		}
		covered++
	}
	described, err := openapi3.NewLoader().LoadFromData(admin.Description)
	if err != nil {
		t.Fatal(err)
	}
	changing := 0
	for _, path := range described.Paths.Map() {
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

// TestOpeningAnAccountLeavesEntries checks the audit entries of a new account and of each new link
// for its owner. Without X-Operator they name no operator.
func TestOpeningAnAccountLeavesEntries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const accounts = "/admin/v1/accounts"
	opened, _ := b.want(http.MethodPost, accounts, `{"email": "ada@example.com", "name": "Ada"}`, http.StatusCreated, "").object["id"].(string)
	b.want(http.MethodPost, accounts+"/"+opened+"/invitation", "", http.StatusOK, "")
	page, err := audit.On(b.store).Page(t.Context(), uuid.MustParse(opened), audit.Query{First: store.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range page.Items {
		got = append(got, string(e.Actor)+" "+e.Operator+e.Action)
	}
	if want := []string{"OPERATOR account invitation", "OPERATOR account create"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHostileOperators checks that the request succeeds and the stored name is printable, whatever
// the header contains.
func TestHostileOperators(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, name := range hostileTexts {
		name = strings.Map(func(r rune) rune { // net/http refuses to send control characters
			if r < ' ' || r == '\x7f' {
				return ' '
			}
			return r
		}, name)
		if status := b.as(name, http.MethodPost, []string{"/suspend", "/resume"}[i%2], ""); status != http.StatusOK {
			t.Fatalf("%.100q: %d", name, status)
		}
		got := b.entries()[0].Operator
		if len([]rune(got)) > 100 || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%.100q became %q", name, got)
		}
	}
}

// as sends a request under an operator's name, and returns the status.
func (b *bench) as(name, method, path, body string) int {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method,
		b.server.URL+"/admin/v1/accounts/"+b.fixture.Account.ID.String()+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {"Bearer " + token}, "X-Operator": {name}}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func (b *bench) entries() []audit.Entry {
	b.Helper()
	page, err := audit.On(b.store).Page(b.Context(), b.fixture.Account.ID, audit.Query{First: store.MaxPage})
	if err != nil {
		b.Fatal(err)
	}
	return page.Items
}
