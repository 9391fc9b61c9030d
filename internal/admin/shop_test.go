package admin_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

func (b *bench) path(rest string) string {
	return accountsPath + "/" + b.fixture.Account.ID.String() + rest
}

// chat settles a message of an end user to the fixture's agent, for one credit.
func (b *bench) chat(user string) {
	b.Helper()
	storetest.AnswerTurn(b.T, b.store, b.fixture.Key, storetest.InOwnSession(user))
}

// TestAddressOfSeveralAccounts checks that an address with several accounts is refused with the IDs
// of all, and changes nothing.
func TestAddressOfSeveralAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	second := uuid.Must(uuid.NewV7())
	storetest.Exec(t, b.store, `INSERT INTO accounts (id, name) VALUES ($1, 'Second')`, second)
	storetest.Exec(t, b.store, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
		second, b.fixture.Account.OwnerID)
	path := accountsPath + "/email:" + b.fixture.Account.Email
	for _, c := range []struct{ method, rest, body string }{
		{http.MethodGet, "", ""},
		{http.MethodGet, "/usage?from=2026-01-01&to=2026-02-01", ""},
		{http.MethodGet, "/credits", ""},
		{http.MethodGet, "/end-users/u", ""},
		{http.MethodPost, "/suspend", ""},
		{http.MethodPost, "/resume", ""},
		{http.MethodPost, "/credits", `{"amount": 1, "note": "n", "reference": "r"}`},
	} {
		text := b.refuses(c.method, path+c.rest, c.body, "conflict").text
		if !strings.Contains(text, second.String()) || !strings.Contains(text, b.fixture.Account.ID.String()) {
			t.Errorf("%s %s: %s", c.method, c.rest, text)
		}
	}
	b.get(accountsPath + "/" + second.String())
	b.want(http.MethodDelete, accountsPath+"/"+second.String(), "", http.StatusOK)
	b.get(path)
}

func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.refuses(http.MethodDelete, accountsPath+"/email:"+b.fixture.Account.Email, "", "invalid_request")
	b.post(b.path("/suspend"), "")
	grant := `{"amount": 5, "note": "Payment", "reference": "pi_1", "unique": "service"}`
	b.post(b.path("/credits"), grant)
	got := b.want(http.MethodDelete, b.path(""), "", http.StatusOK).object
	if got["id"] != b.fixture.Account.ID.String() || got["deleted"] != true {
		t.Errorf("deleted: %v", got)
	}
	b.refuses(http.MethodDelete, b.path(""), "", "not_found")
	b.refuses(http.MethodGet, b.path("/credits"), "", "not_found")
	b.refuses(http.MethodPost, b.path("/credits"), grant, "not_found") // the shop refunds
	if found := b.list("/admin/v1/credits?reference=pi_1", "entries"); len(found) != 1 {
		t.Errorf("the payment of a deleted account: %v", found)
	}
}

func TestUniqueReference(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := accountsPath + "/" + storetest.Seed(t, b.store, storetest.Options{}).Account.ID.String() + "/credits"
	const once, gift = `{"amount": 5, "note": "Payment", "reference": "pi_1", "unique": "service"}`,
		`{"amount": 5, "note": "Payment", "reference": "gift"}`
	b.post(b.path("/credits"), once)
	if got := b.post(b.path("/credits"), once); got["repeated"] != true {
		t.Errorf("again: %v", got)
	}
	b.refuses(http.MethodPost, other, once, "conflict")
	b.refuses(http.MethodPost, other, `{"amount": 5, "note": "Payment", "reference": "pi_1"}`, "conflict")
	b.post(b.path("/credits"), gift)
	b.post(other, gift)
	const path = "/admin/v1/credits"
	for reference, want := range map[string]int{"gift": 2, "+gift%C2%A0": 2, "pi_2": 0} {
		if found := b.list(path+"?reference="+reference, "entries"); len(found) != want {
			t.Errorf("%s: %v", reference, found)
		}
	}
	for _, bad := range []string{"", "?reference=gift%E2%80%8B", "?reference=gift&after=x"} {
		b.refuses(http.MethodGet, path+bad, "", "invalid_request")
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 3 {
		b.chat("user")
	}
	today := time.Now().UTC()
	span := "?from=" + today.AddDate(0, 0, -1).Format(time.DateOnly) + "&to=" + today.AddDate(0, 0, 2).Format(time.DateOnly)
	for by, want := range map[string]string{
		"":                "",
		"day":             "day",
		"agent,%20model":  "agent agent_name model",
		"model,day,agent": "agent agent_name day model",
	} {
		rows := b.get(b.path("/usage" + span + "&by=" + by))["rows"].([]any)
		if len(rows) != 1 && by != "day" || len(rows) == 0 {
			t.Fatalf("by %s: %v", by, rows)
		}
		row := rows[0].(map[string]any)
		if row["messages"] != 3.0 || row["credits"].(float64) <= 0 {
			t.Errorf("by %s: %v", by, row)
		}
		for _, name := range []string{"messages", "failed", "credits", "input_tokens", "output_tokens"} {
			delete(row, name)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(row)), " "); got != want {
			t.Errorf("by %s there are %s", by, got)
		}
	}
	for _, bad := range []string{"", "?from=2026-01-01", "?from=x&to=2026-01-01", "?from=2026-01-02&to=2026-01-02",
		span + "&by=account", span + "&by=day,day"} {
		b.refuses(http.MethodGet, b.path("/usage"+bad), "", "invalid_request")
	}
	unused := storetest.Seed(t, b.store, storetest.Options{}).Account.ID.String()
	if rows := b.get(accountsPath + "/" + unused + "/usage" + span + "&by=model")["rows"]; len(rows.([]any)) != 0 {
		t.Errorf("of another account: %v", rows)
	}
}

// TestEndUsers exports and erases end users whose IDs need every kind of escape.
func TestEndUsers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for user, escaped := range map[string]string{
		"customer-42":         "customer-42",
		"a/b":                 "a%2Fb",
		"..":                  "%2E%2E",
		"a%2Fb ?#é":           url.PathEscape("a%2Fb ?#é"),
		"email:x@example.com": "email:x@example.com",
	} {
		b.chat(user)
		path := b.path("/end-users/" + escaped)
		lines := strings.Split(strings.TrimSpace(b.want(http.MethodGet, path, "", http.StatusOK).text), "\n")
		var first map[string]any
		if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 2 ||
			first["type"] != "conversation" || first["user_id"] != user {
			t.Errorf("%q: %q, %v", user, lines, err)
		}
		for _, want := range []float64{1, 0} {
			if got := b.want(http.MethodDelete, path, "", http.StatusOK).object; got["deleted_count"] != want {
				t.Errorf("%q deleted: %v, want %v", user, got, want)
			}
		}
		if text := b.want(http.MethodGet, path, "", http.StatusOK).text; text != "" {
			t.Errorf("%q is left: %s", user, text)
		}
	}
	byAddress := accountsPath + "/email:" + b.fixture.Account.Email + "/end-users/customer-42"
	b.refuses(http.MethodDelete, byAddress, "", "invalid_request")
	b.want(http.MethodGet, byAddress, "", http.StatusOK)
	b.refuses(http.MethodGet, b.path("/end-users/a%00b"), "", "invalid_request")
	if strings.Contains(b.logged(), "customer-42") {
		t.Errorf("the log contains an end user's ID: %s", b.logged())
	}
}
