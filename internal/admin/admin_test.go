package admin_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/storetest"
)

const accountsPath = "/admin/v1/accounts"

func TestAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if n := len(b.list(accountsPath, "accounts")); n != 1 {
		t.Errorf("%d accounts are listed", n)
	}
	if n := len(b.list(accountsPath+"?search=unknown", "accounts")); n != 0 {
		t.Errorf("%d accounts are found", n)
	}
	b.refuses(http.MethodGet, accountsPath+"?after=x", "", "invalid_request")
	byEmail := accountsPath + "/email:" + b.fixture.Account.Email
	for _, address := range []string{b.path(""), byEmail, strings.ReplaceAll(byEmail, "@", "%40"),
		strings.ReplaceAll(byEmail, ".com", "%E3%80%82COM")} {
		shown := b.get(address)
		if shown["email"] != b.fixture.Account.Email || shown["agents"] != 1.0 || shown["exports"] != 1.0 ||
			shown["conversations"] != 0.0 {
			t.Errorf("%s: %v", address, shown)
		}
	}
	for action, want := range map[string]account.State{"suspend": account.Suspended, "resume": account.Active} {
		for range 2 {
			if got := b.post(byEmail+"/"+action, ""); got["state"] != string(want) {
				t.Errorf("%s: %v", action, got)
			}
		}
	}
	for _, missing := range []string{"/x", "/email:unknown@example.com", "/0198c2f0-6f5e-7d3a-9d51-5a3f0c6a2b1e"} {
		b.refuses(http.MethodGet, accountsPath+missing, "", "not_found")
		b.refuses(http.MethodPost, accountsPath+missing+"/suspend", "", "not_found")
	}
	b.refuses(http.MethodGet, accountsPath+"/email:unknown", "", "invalid_request")
	got := b.refuses(http.MethodPut, b.path(""), "", "method_not_allowed")
	if allowed := got.header.Get("Allow"); allowed != "DELETE, GET" {
		t.Errorf("allowed: %s", allowed)
	}
	b.refuses(http.MethodGet, b.path("/suspend"), "", "method_not_allowed")
	b.refuses(http.MethodGet, "/v1/agent/chat", "", "not_found")
}

// TestPages reads many accounts, a long history, and the grants of many accounts under one
// reference, page by page.
func TestPages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const accountCount, entries = 201, 230
	grant := func(id uuid.UUID, reference string) {
		in := credits.Grant{AccountID: id, Amount: 1, Note: "n", Reference: reference}
		if _, err := credits.On(b.store).GrantCredits(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	for i := range entries - 2 {
		grant(b.fixture.Account.ID, fmt.Sprintf("r-%d", i))
	}
	b.chat("user")
	for i := range accountCount - 1 {
		created, err := accounts.On(b.store).CreateAccount(t.Context(),
			accounts.NewAccount{Email: fmt.Sprintf("a%d@example.com", i), Name: "A", PasswordHash: "none"})
		if err != nil {
			t.Fatal(err)
		}
		grant(created.ID, "welcome")
	}
	for path, c := range map[string]struct {
		name, key string
		want      int
	}{
		accountsPath:                          {"accounts", "id", accountCount},
		b.path("/credits"):                    {"entries", "number", entries},
		"/admin/v1/credits?reference=welcome": {"entries", "account_id", accountCount - 1},
	} {
		seen, list := map[any]bool{}, b.list(path, c.name)
		for _, item := range list {
			seen[item[c.key]] = true
		}
		if len(seen) != c.want || len(list) != c.want {
			t.Errorf("%s: %d different of %d items, want %d", path, len(seen), len(list), c.want)
		}
	}
	if e := b.list(b.path("/credits"), "entries")[0]; e["kind"] != "CHARGE" || e["reference"] != nil ||
		e["agent_id"] != b.fixture.Agent.ID.String() || e["amount"].(float64) >= 0 {
		t.Errorf("the charge: %v", e)
	}
	b.refuses(http.MethodGet, b.path("/credits?after=x"), "", "invalid_request")
}

func TestCredits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path, before := b.path("/credits"), b.fixture.Account.CreditBalance
	var first atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			got := b.post(path, `{"amount": 7, "note": "Invoice 7", "reference": "invoice-7"}`)
			if got["balance"] != float64(before+7) {
				t.Errorf("%v", got)
			}
			if got["repeated"] == false {
				first.Add(1)
			}
		})
	}
	if all.Wait(); first.Load() != 1 {
		t.Errorf("%d applied", first.Load())
	}
	b.refuses(http.MethodPost, path, `{"amount": 8, "note": "n", "reference": "invoice-7"}`, "conflict")
	b.refuses(http.MethodPost, path,
		`{"kind": "ADJUSTMENT", "amount": -1000000, "note": "n", "reference": "a"}`, "conflict")
	if got := b.post(path, `{"amount": 7, "note": "ñ\u200b", "reference": "\u00a0 invoice-7\n"}`); got["repeated"] != true {
		t.Errorf("with white space around it: %v", got)
	}
	if got := b.post(path, `{"kind": "ADJUSTMENT", "amount": -7, "note": "n", "reference": "b"}`); got["balance"] != float64(before) {
		t.Errorf("taken: %v", got)
	}
	for _, bad := range []string{
		`{"amount": 0, "note": "n", "reference": "r"}`,
		`{"amount": -1, "note": "n", "reference": "r"}`,
		`{"note": "n", "reference": "r"}`,
		`{"amount": 1, "note": "", "reference": "r"}`,
		`{"amount": 1, "note": "a\nb", "reference": "r"}`,
		`{"amount": 1, "note": "` + strings.Repeat("x", 201) + `", "reference": "r"}`,
		`{"amount": 1, "note": "n"}`,
		`{"amount": 1, "note": "n", "reference": "` + strings.Repeat("x", 201) + `"}`,
		`{"amount": 1, "note": "n", "reference": "\u200binvoice-7"}`,
		`{"amount": 1, "note": "n", "reference": "\u00a0"}`,
		`{"amount": 1, "note": "n", "reference": "invoice\t7"}`,
		`{"amount": 9007199254740992, "note": "n", "reference": "r"}`,
		`{"amount": 1, "note": "n", "reference": "r", "unique": "account"}`,
		`{"kind": "CHARGE", "amount": 1, "note": "n", "reference": "r"}`,
	} {
		b.refuses(http.MethodPost, path, bad, "invalid_request")
	}
	for _, bad := range []string{`{`, `[]`, `{"amount": 1.5}`, `{"amount": "1"}`, `{"amuont": 1}`, `{"amount": 1} {}`,
		`{"amount": 1, "amount": 2}`} {
		b.refuses(http.MethodPost, path, bad, "invalid_json")
	}
	b.refuses(http.MethodPost, path, `{"note": "`+strings.Repeat("x", 17<<10)+`"}`, "payload_too_large")
	b.refuses(http.MethodPost, path, "", "unsupported_media_type")
	storetest.Audit(t, b.store)
}

func TestDoor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const tries = 1_000
	for i := range tries {
		wrong := []string{"", "wrong", token + "x", token[:len(token)-1], strings.ToUpper(token)}[i%5]
		path := []string{accountsPath, "/", accountsPath + "/x"}[i%3]
		if got := b.send(http.MethodGet, path, wrong, ""); got.status != http.StatusUnauthorized ||
			got.code() != "unauthorized" || got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Fatalf("with %q: %d %v", wrong, got.status, got.object)
		}
	}
	if b.refused.Load() != tries {
		t.Errorf("%d refusals counted", b.refused.Load())
	}
	if log := b.logged(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "without the right token") ||
		strings.Contains(log, token) {
		t.Errorf("the log is %s", log)
	}
}
