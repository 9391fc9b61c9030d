package admin_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func (b *bench) path(rest string) string {
	return "/admin/v1/accounts/" + b.fixture.Account.ID.String() + rest
}

// chat settles a message of an end user to the fixture's agent, for one credit.
func (b *bench) chat(user string) {
	b.Helper()
	turn := uuid.Must(uuid.NewV7())
	begun, err := turns.On(b.store).BeginTurn(b.Context(), turns.Begin{Key: b.fixture.Key.Hash(), Models: []string{storetest.SandboxModel},
		Prices: []int64{1}, Fingerprint: conversation.Body{Message: "hello", Session: new(turn.String())}.Fingerprint(), UserID: &user,
		Session: turn.String(), Message: "hello", TurnID: turn, ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Minute,
		RequestID: turn.String(), MaxContextBytes: 96 << 10})
	if err == nil && begun.Outcome == turns.Begun {
		_, err = turns.On(b.store).SettleTurn(b.Context(), turns.Settlement{TurnID: turn, State: conversation.Answered, Reply: "hi", FinishReason: "stop"})
	}
	if err != nil || begun.Outcome != turns.Begun {
		b.Fatal(begun.Outcome, err)
	}
}

// TestAddressOfSeveralAccounts checks that an address with several accounts is refused with the IDs
// of all, and changes nothing.
func TestAddressOfSeveralAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	second := uuid.Must(uuid.NewV7())
	_, err := b.store.SQL().ExecContext(t.Context(), `INSERT INTO accounts (id, name) VALUES ($1, 'Second');`, second)
	if err == nil {
		_, err = b.store.SQL().ExecContext(t.Context(), `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
			second, b.fixture.Account.OwnerID)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := "/admin/v1/accounts/email:" + b.fixture.Account.Email
	for method, paths := range map[string][]string{
		http.MethodGet:  {"", "/usage?from=2026-01-01&to=2026-02-01", "/credits", "/end-users/u"},
		http.MethodPost: {"/suspend", "/resume"},
	} {
		for _, rest := range paths {
			got := b.want(method, path+rest, "", http.StatusConflict, "conflict")
			if text := got.text; !strings.Contains(text, second.String()) || !strings.Contains(text, b.fixture.Account.ID.String()) {
				t.Errorf("%s %s: %s", method, rest, text)
			}
		}
	}
	b.want(http.MethodPost, path+"/credits", `{"amount": 1, "note": "n", "reference": "r"}`, http.StatusConflict, "conflict")
	b.want(http.MethodGet, "/admin/v1/accounts/"+second.String(), "", http.StatusOK, "")
	b.want(http.MethodDelete, "/admin/v1/accounts/"+second.String(), "", http.StatusOK, "")
	b.want(http.MethodGet, path, "", http.StatusOK, "")
}

func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.want(http.MethodDelete, "/admin/v1/accounts/email:"+b.fixture.Account.Email, "", http.StatusBadRequest, "invalid_request")
	b.want(http.MethodPost, b.path("/suspend"), "", http.StatusOK, "")
	grant := `{"amount": 5, "note": "Payment", "reference": "pi_1", "unique": "service"}`
	b.want(http.MethodPost, b.path("/credits"), grant, http.StatusOK, "")
	if got := b.want(http.MethodDelete, b.path(""), "", http.StatusOK, "").object; got["id"] != b.fixture.Account.ID.String() || got["deleted"] != true {
		t.Errorf("deleted: %v", got)
	}
	b.want(http.MethodDelete, b.path(""), "", http.StatusNotFound, "not_found")
	b.want(http.MethodGet, b.path("/credits"), "", http.StatusNotFound, "not_found")
	b.want(http.MethodPost, b.path("/credits"), grant, http.StatusNotFound, "not_found") // the shop refunds
	if got := b.want(http.MethodGet, "/admin/v1/credits?reference=pi_1", "", http.StatusOK, "").object; len(got["entries"].([]any)) != 1 {
		t.Errorf("the payment of a deleted account: %v", got)
	}
	if n := b.count(`SELECT count(*) FROM audit_entries WHERE action = 'account delete' AND actor = 'OPERATOR'`); n == 0 {
		t.Error("the audit trail does not have it")
	}
}

func (b *bench) count(query string) (n int) {
	b.Helper()
	if err := b.store.SQL().QueryRowContext(b.Context(), query).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

func TestUniqueReference(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := "/admin/v1/accounts/" + storetest.Seed(t, b.store, storetest.Options{}).Account.ID.String() + "/credits"
	grant := func(reference, more string) string {
		return fmt.Sprintf(`{"amount": 5, "note": "Payment", "reference": %q%s}`, reference, more)
	}
	const unique = `, "unique": "service"`
	b.want(http.MethodPost, b.path("/credits"), grant("pi_1", unique), http.StatusOK, "")
	if got := b.want(http.MethodPost, b.path("/credits"), grant("pi_1", unique), http.StatusOK, ""); got.object["repeated"] != true {
		t.Errorf("again: %v", got.object)
	}
	b.want(http.MethodPost, other, grant("pi_1", unique), http.StatusConflict, "conflict")
	b.want(http.MethodPost, other, grant("pi_1", ""), http.StatusConflict, "conflict")
	b.want(http.MethodPost, b.path("/credits"), grant("gift", ""), http.StatusOK, "")
	b.want(http.MethodPost, other, grant("gift", ""), http.StatusOK, "")
	found := b.want(http.MethodGet, "/admin/v1/credits?reference=gift", "", http.StatusOK, "").object
	if n := len(found["entries"].([]any)); n != 2 || found["next"] != nil {
		t.Errorf("gifts: %v", found)
	}
	b.want(http.MethodGet, "/admin/v1/credits", "", http.StatusBadRequest, "invalid_request")
	found = b.want(http.MethodGet, "/admin/v1/credits?reference=+gift%C2%A0", "", http.StatusOK, "").object
	if n := len(found["entries"].([]any)); n != 2 {
		t.Errorf("with white space around it: %v", found)
	}
	b.want(http.MethodGet, "/admin/v1/credits?reference=gift%E2%80%8B", "", http.StatusBadRequest, "invalid_request")
	b.want(http.MethodGet, "/admin/v1/credits?reference=gift&after=x", "", http.StatusBadRequest, "invalid_request")
	none := b.want(http.MethodGet, "/admin/v1/credits?reference=pi_2", "", http.StatusOK, "").object
	if n := len(none["entries"].([]any)); n != 0 {
		t.Errorf("of nothing: %v", none)
	}
}

// TestHistory reads a long history, and the grants of many accounts under one reference, page by
// page.
func TestHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const accountCount, entries = 101, 230
	for i := range entries - 2 {
		in := credits.Grant{AccountID: b.fixture.Account.ID, Amount: 1, Note: "n", Reference: fmt.Sprintf("r-%d", i)}
		if _, err := credits.On(b.store).GrantCredits(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	b.chat("user")
	for i := range accountCount {
		created, err := accounts.On(b.store).CreateAccount(t.Context(), accounts.NewAccount{Email: fmt.Sprintf("a%d@example.com", i), Name: "A", PasswordHash: "none"})
		if err == nil {
			_, err = credits.On(b.store).GrantCredits(t.Context(), credits.Grant{AccountID: created.ID, Amount: 1, Note: "n", Reference: "welcome"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]int{b.path("/credits?"): entries, "/admin/v1/credits?reference=welcome&": accountCount} {
		seen, after := map[string]bool{}, ""
		for range 4 {
			got := b.want(http.MethodGet, path+"after="+after, "", http.StatusOK, "").object
			for i, e := range got["entries"].([]any) {
				e := e.(map[string]any)
				if seen[fmt.Sprint(e["account_id"], e["number"])] = true; e["kind"] == "CHARGE" &&
					(i != 0 || e["reference"] != nil || e["agent_id"] != b.fixture.Agent.ID.String() || e["amount"].(float64) >= 0) {
					t.Errorf("a charge: %v", e)
				}
			}
			if got["next"] == nil {
				break
			}
			after = got["next"].(string)
		}
		if len(seen) != want {
			t.Errorf("%s: %d entries, want %d", path, len(seen), want)
		}
	}
	b.want(http.MethodGet, b.path("/credits?after=x"), "", http.StatusBadRequest, "invalid_request")
}

func TestUsage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 3 {
		b.chat("user")
	}
	today := time.Now().UTC()
	span := "?from=" + today.AddDate(0, 0, -1).Format(time.DateOnly) + "&to=" + today.AddDate(0, 0, 2).Format(time.DateOnly)
	for by, want := range map[string]string{"": "", "day": "day", "agent,%20model": "agent agent_name model", "model,day,agent": "agent agent_name day model"} {
		rows := b.want(http.MethodGet, b.path("/usage"+span+"&by="+by), "", http.StatusOK, "").object["rows"].([]any)
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
	for _, bad := range []string{"", "?from=2026-01-01", "?from=x&to=2026-01-01", "?from=2026-01-02&to=2026-01-02", span + "&by=account", span + "&by=day,day"} {
		b.want(http.MethodGet, b.path("/usage"+bad), "", http.StatusBadRequest, "invalid_request")
	}
	unused := storetest.Seed(t, b.store, storetest.Options{}).Account.ID.String()
	if rows := b.want(http.MethodGet, "/admin/v1/accounts/"+unused+"/usage"+span+"&by=model", "", http.StatusOK, "").object["rows"]; len(rows.([]any)) != 0 {
		t.Errorf("of another account: %v", rows)
	}
}

// TestEndUsers exports and erases end users whose IDs need every kind of escape.
func TestEndUsers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, user := range []string{"customer-42", "a/b", "..", "a%2Fb ?#é", "email:x@example.com"} {
		b.chat(user)
		path := b.path("/end-users/" + url.PathEscape(user))
		if user == ".." {
			path = b.path("/end-users/%2E%2E")
		}
		lines := strings.Split(strings.TrimSpace(b.want(http.MethodGet, path, "", http.StatusOK, "").text), "\n")
		var first map[string]any
		if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 2 || first["type"] != "conversation" || first["user_id"] != user {
			t.Errorf("%q: %q, %v", user, lines, err)
		}
		for _, want := range []float64{1, 0} {
			if got := b.want(http.MethodDelete, path, "", http.StatusOK, "").object; got["deleted_count"] != want {
				t.Errorf("%q deleted: %v, want %v", user, got, want)
			}
		}
		if text := b.want(http.MethodGet, path, "", http.StatusOK, "").text; text != "" {
			t.Errorf("%q is left: %s", user, text)
		}
	}
	byAddress := "/admin/v1/accounts/email:" + b.fixture.Account.Email + "/end-users/customer-42"
	b.want(http.MethodDelete, byAddress, "", http.StatusBadRequest, "invalid_request")
	b.want(http.MethodGet, byAddress, "", http.StatusOK, "")
	b.want(http.MethodGet, b.path("/end-users/a%00b"), "", http.StatusBadRequest, "invalid_request")
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.Contains(b.log.String(), "customer-42") {
		t.Errorf("the log contains an end user's ID: %s", b.log.String())
	}
}
