package admin_test

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
)

const invitationAt = "https://chat.example.com/invitation#token="

// tokenIn returns the hash of the token in an invitation link.
func (b *bench) tokenIn(got answer) [32]byte {
	b.Helper()
	link, _ := got.object["invitation_link"].(string)
	token, ok := strings.CutPrefix(link, invitationAt)
	if !ok {
		b.Fatalf("the link is %q", link)
	}
	return sha256.Sum256([]byte(token))
}

// TestOpenAccount checks that a new account can be granted credits before its owner joins, and that
// the link makes its user the owner once.
func TestOpenAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const path = "/admin/v1/accounts"
	opened := b.want(http.MethodPost, path, `{"email": "Buyer@Example.com", "name": "Buyer Ltd"}`, http.StatusCreated, "")
	id, first := opened.object["id"].(string), b.tokenIn(opened)
	if opened.object["email"] != "" || opened.object["name"] != "Buyer Ltd" || opened.object["credit_balance"] != 0.0 {
		t.Errorf("opened: %v", opened.object)
	}
	b.want(http.MethodPost, path+"/"+id+"/credits", `{"amount": 5, "note": "n", "reference": "r"}`, http.StatusOK, "")
	if found := b.want(http.MethodGet, path+"?search=buyer", "", http.StatusOK, "").object["accounts"].([]any); len(found) != 1 {
		t.Errorf("found: %v", found)
	}
	again := b.want(http.MethodPost, path, `{"email": "buyer@example.com", "name": "Again"}`, http.StatusConflict, "conflict")
	if !strings.Contains(again.text, id) {
		t.Errorf("again: %s", again.text)
	}
	known := b.want(http.MethodPost, path, `{"email": "`+b.fixture.Account.Email+`", "name": "Known"}`, http.StatusConflict, "conflict")
	if !strings.Contains(known.text, b.fixture.Account.ID.String()) {
		t.Errorf("known: %s", known.text)
	}
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE invitations SET expires_at = now() - interval '1 day'`); err != nil {
		t.Fatal(err)
	}
	if n, err := accounts.On(b.store).PurgeInvitations(t.Context(), 10); err != nil || n != 0 {
		t.Errorf("%d invitations of the operator are purged, %v", n, err)
	}
	second := b.tokenIn(b.want(http.MethodPost, path+"/"+id+"/invitation", "", http.StatusOK, ""))
	accept := func(token [32]byte) error {
		_, err := accounts.On(b.store).AcceptInvitation(t.Context(), accounts.Acceptance{Token: token, Name: "Buyer", PasswordHash: "none",
			By: audit.Entry{Actor: audit.ByUser, Action: "acceptInvitation"}})
		return err
	}
	if err := accept(first); !fault.Is(err, fault.NotFound) {
		t.Errorf("the link before: %v", err)
	}
	if err := accept(second); err != nil {
		t.Fatal(err)
	}
	if shown := b.want(http.MethodGet, path+"/email:buyer@example.com", "", http.StatusOK, "").object; shown["id"] != id {
		t.Errorf("joined: %v", shown)
	}
	b.want(http.MethodPost, path+"/"+id+"/invitation", "", http.StatusConflict, "conflict")
	b.want(http.MethodPost, b.path("/invitation"), "", http.StatusConflict, "conflict")
	for _, bad := range []string{`{"email": "buyer", "name": "n"}`, `{"email": "b@example.com"}`, `{"email": "b@example.com", "name": ""}`} {
		b.want(http.MethodPost, path, bad, http.StatusBadRequest, "invalid_request")
	}
	b.want(http.MethodPost, path, `{"mail": 1}`, http.StatusBadRequest, "invalid_json")
	if n := b.count(`SELECT count(*) FROM audit_entries WHERE actor = 'OPERATOR' AND action IN ('account create', 'account invitation')`); n != 2 {
		t.Errorf("%d entries in the audit trail", n)
	}
	if n := b.count(`SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d mails", n)
	}
}

// TestOpenAccountAtOnce checks that a request sent several times at once opens one account.
func TestOpenAccountAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var opened, refused atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got := b.send(http.MethodPost, "/admin/v1/accounts", token, `{"email": "buyer@example.com", "name": "Buyer"}`)
			switch got.status {
			case http.StatusCreated:
				opened.Add(1)
			case http.StatusConflict:
				refused.Add(1)
			default:
				t.Errorf("%d %v", got.status, got.object)
			}
		})
	}
	all.Wait()
	if opened.Load() != 1 || refused.Load() != 7 || b.count(`SELECT count(*) FROM accounts`) != 2 {
		t.Errorf("%d opened, %d refused", opened.Load(), refused.Load())
	}
}
