package admin_test

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
)

const invitationAt = "https://chat.example.com/invitation#token="

// tokenIn returns the hash of the token in an invitation link.
func (b *bench) tokenIn(opened map[string]any) [32]byte {
	b.Helper()
	link, _ := opened["invitation_link"].(string)
	token, ok := strings.CutPrefix(link, invitationAt)
	if !ok {
		b.Fatalf("the link is %q", link)
	}
	return sha256.Sum256([]byte(token))
}

// TestOpenAccount checks that a new account can be granted credits before its owner joins, and that
// the link makes its user the owner once. Its audit entries name no operator without X-Operator.
func TestOpenAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	body := `{"email": "Buyer@Example.com", "name": "Buyer Ltd"}`
	opened := b.want(http.MethodPost, accountsPath, body, http.StatusCreated)
	id, first := opened.object["id"].(string), b.tokenIn(opened.object)
	if opened.object["email"] != "" || opened.object["name"] != "Buyer Ltd" || opened.object["credit_balance"] != 0.0 {
		t.Errorf("opened: %v", opened.object)
	}
	path := accountsPath + "/" + id
	b.post(path+"/credits", `{"amount": 5, "note": "n", "reference": "r"}`)
	if found := b.list(accountsPath+"?search=buyer", "accounts"); len(found) != 1 {
		t.Errorf("found: %v", found)
	}
	for address, known := range map[string]string{
		"buyer@example.com":     id,
		b.fixture.Account.Email: b.fixture.Account.ID.String(),
	} {
		again := b.refuses(http.MethodPost, accountsPath, `{"email": "`+address+`", "name": "Again"}`, "conflict")
		if !strings.Contains(again.text, known) {
			t.Errorf("again: %s", again.text)
		}
	}
	storetest.Exec(t, b.store, `UPDATE invitations SET expires_at = now() - interval '1 day'`)
	if n, err := accounts.On(b.store).PurgeInvitations(t.Context(), 10); err != nil || n != 0 {
		t.Errorf("%d invitations of the operator are purged, %v", n, err)
	}
	second := b.tokenIn(b.post(path+"/invitation", ""))
	accept := func(token [32]byte) error {
		_, err := accounts.On(b.store).AcceptInvitation(t.Context(), accounts.Acceptance{
			Token:        token,
			Name:         "Buyer",
			PasswordHash: "none",
			By:           audit.Entry{Actor: audit.ByUser, Action: "acceptInvitation"},
		})
		return err
	}
	if err := accept(first); !fault.Is(err, fault.NotFound) {
		t.Errorf("the link before: %v", err)
	}
	if err := accept(second); err != nil {
		t.Fatal(err)
	}
	if shown := b.get(accountsPath + "/email:buyer@example.com"); shown["id"] != id {
		t.Errorf("joined: %v", shown)
	}
	b.refuses(http.MethodPost, path+"/invitation", "", "conflict")
	b.refuses(http.MethodPost, b.path("/invitation"), "", "conflict")
	for _, bad := range []string{
		`{"email": "buyer", "name": "n"}`, `{"email": "b@example.com"}`, `{"email": "b@example.com", "name": ""}`,
	} {
		b.refuses(http.MethodPost, accountsPath, bad, "invalid_request")
	}
	b.refuses(http.MethodPost, accountsPath, `{"mail": 1}`, "invalid_json")
	var done []string
	for _, e := range b.entries(uuid.MustParse(id)) {
		if e.Actor == audit.ByOperator {
			done = append(done, e.Operator+e.Action)
		}
	}
	if !slices.Equal(done, []string{"account invitation", "credits grant", "account create"}) {
		t.Errorf("the audit trail has %q", done)
	}
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d mails", n)
	}
}

// TestOpenAccountAtOnce checks that a request sent several times at once opens one account.
func TestOpenAccountAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	opened := storetest.AtOnce(t, 8, fault.Conflict, func() error {
		got := b.send(http.MethodPost, accountsPath, token, `{"email": "buyer@example.com", "name": "Buyer"}`)
		if got.status == http.StatusCreated {
			return nil
		}
		return fault.New(fault.Kind(got.code()), got.text)
	})
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM accounts`); opened != 1 || n != 2 {
		t.Errorf("%d opened, %d accounts", opened, n)
	}
}
