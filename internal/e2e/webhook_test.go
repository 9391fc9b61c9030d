package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
	"agentchat/internal/webhook"
)

// TestWebhookReceiver runs the example receiver with the secret of the guide. It takes the
// service's events and refuses those that are forged, changed or old.
func TestWebhookReceiver(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "webhooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	setting := regexp.MustCompile(`(?m)^WEBHOOK_SECRET=(.+)$`).FindSubmatch(text)
	if setting == nil {
		t.Fatal("the guide sets no secret")
	}
	address, written := serveExample(t, "webhooks/receiver.mjs", string(setting[0]))

	database := storetest.URL(t)
	s := storetest.Open(t, database)
	service := start(t, database, "WEBHOOK_URL="+address, string(setting[0]))
	newBrowser(t).signedUp(service, "owner@example.com", ownersPassword)
	owner, err := operator.On(s).AccountByEmail(t.Context(), "owner@example.com")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the receiver gets the event", func() bool {
		return strings.Contains(written.String(), "account.signed_up "+owner.ID.String()+"\n")
	})
	eventually(t, "the event counts as delivered", func() bool {
		state, err := notifications.On(s).OutboxState(t.Context(), notifications.WebhookKind)
		return state.Waiting+state.Failed == 0 && err == nil
	})

	secret, err := webhook.ParseSecret(string(setting[1]))
	if err != nil {
		t.Fatal(err)
	}
	body := json.RawMessage(`{"type":"account.suspended","data":{"account_id":"none"}}`)
	another := []byte("another secret of 32 bytes or more")
	now := time.Now()
	old := now.Add(-6 * time.Minute)
	for what, c := range map[string]struct {
		at        time.Time
		signature string
		want      int
	}{
		"signed":         {now, webhook.Sign(secret, "id", now, body), http.StatusNoContent},
		"not signed":     {now, "", http.StatusUnauthorized},
		"another secret": {now, webhook.Sign(another, "id", now, body), http.StatusUnauthorized},
		"another id":     {now, webhook.Sign(secret, "other", now, body), http.StatusUnauthorized},
		"another body":   {now, webhook.Sign(secret, "id", now, []byte("{}")), http.StatusUnauthorized},
		"old":            {old, webhook.Sign(secret, "id", old, body), http.StatusUnauthorized},
		"another time":   {now, webhook.Sign(secret, "id", old, body), http.StatusUnauthorized},
	} {
		response, err := post(t.Context(), http.DefaultClient, address, "", body, "Webhook-Id", "id",
			"Webhook-Timestamp", strconv.FormatInt(c.at.Unix(), 10), "Webhook-Signature", c.signature)
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, written.String())
		}
		_ = response.Body.Close()
		if response.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", what, response.Status, c.want)
		}
	}
	eventually(t, "the receiver prints an event", func() bool {
		return strings.Contains(written.String(), "account.suspended")
	})
	if n := strings.Count(written.String(), "account.suspended"); n != 1 {
		t.Errorf("%d were taken, want 1:\n%s", n, written.String())
	}
}
