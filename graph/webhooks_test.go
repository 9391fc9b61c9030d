package graph_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/webhooks"
)

const (
	createWebhook = `mutation($input: CreateWebhookInput!) { createWebhook(input: $input) {
		secret webhook { id url events state dropped failingSince previousSecretUntil createdBy { actorId } } } }`
	updateWebhook = `mutation($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { url events state } } }`
	testWebhook   = `mutation($id: ID!) { testWebhook(input: {id: $id}) { delivery {
		id event body tries status tookMs error sentAt nextTryAt } } }`
	retryWebhook   = `mutation($id: ID!) { retryWebhookDelivery(input: {id: $id}) { delivery { id sentAt } } }`
	listDeliveries = `query($failed: Boolean) { viewer { webhooks { deliveries(failed: $failed) { nodes { error status } } } } }`
)

// webhook creates a webhook with a delivery that was sent.
func (u *user) webhook(t *testing.T) (id, delivery uuid.UUID) {
	t.Helper()
	made := u.do(t, createWebhook, vars{"input": vars{"url": "https://example.com/hook", "events": []string{"CREDITS_LOW"}}})
	id = made.id(t, "createWebhook.webhook.id")
	delivery = u.do(t, testWebhook, vars{"id": id}).id(t, "testWebhook.delivery.id")
	storetest.Exec(t, u.b.store, `UPDATE outbox SET due_at = NULL, sent_at = now() WHERE id = $1`, delivery)
	return id, delivery
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	made := u.do(t, createWebhook, vars{"input": vars{"url": "https://example.com/hook",
		"events": []string{"KEY_STOPS_SOON", "MESSAGE_COMPLETED", "KEY_STOPS_SOON"}}})
	const at = "createWebhook.webhook."
	made.wantValues(t, "created", map[string]any{at + "url": "https://example.com/hook", at + "state": "ON",
		at + "events.0": "MESSAGE_COMPLETED", at + "events.1": "KEY_STOPS_SOON", at + "events.2": nil,
		at + "dropped": 0, at + "createdBy.actorId": u.account.OwnerID.String()})
	id, secret := made.id(t, at+"id"), made.text(t, "createWebhook.secret")
	wantSecret := func(what, column, secret string) {
		t.Helper()
		var encrypted []byte
		err := b.store.SQL().QueryRowContext(t.Context(), `SELECT `+column+` FROM webhooks WHERE id = $1`, id).Scan(&encrypted)
		key, ok := b.tokens.Decrypt(id, encrypted)
		if want, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err != nil || !ok ||
			len(want) != 32 || string(key) != string(want) {
			t.Errorf("%s: %q, %v, %v", what, secret, ok, err)
		}
	}
	wantSecret("created", "secret", secret)
	rotated := u.do(t, `mutation($id: ID!) { rotateWebhookSecret(input: {id: $id}) { secret webhook { previousSecretUntil } } }`,
		vars{"id": id})
	rotated.text(t, "rotateWebhookSecret.webhook.previousSecretUntil")
	wantSecret("rotated", "secret", rotated.text(t, "rotateWebhookSecret.secret"))
	wantSecret("rotated", "previous_secret", secret)
	for path, input := range map[string]vars{
		"url":    {"url": "http://example.com"},
		"events": {"events": []string{}},
	} {
		input["id"] = id
		u.do(t, updateWebhook, vars{"input": input}).wantFields(t, "a wrong "+path, path+" invalid_value")
		input[path] = nil
		u.do(t, updateWebhook, vars{"input": input}).wantFields(t, "no "+path, path+" invalid_value")
	}
	u.do(t, updateWebhook, vars{"input": vars{"id": id, "events": []string{"WEBHOOK_TEST"}}}).
		wantFields(t, "the test", "events invalid_value")
	u.do(t, updateWebhook, vars{"input": vars{"id": id, "paused": true}}).
		wantValues(t, "paused", map[string]any{"updateWebhook.webhook.state": "PAUSED"})
	u.do(t, testWebhook, vars{"id": id}).want(t, "a test of a paused one", http.StatusOK, "CONFLICT")
	stopped, err := operator.On(b.store).StopWebhook(t.Context(), id, true)
	if err != nil || stopped.State != webhooks.StateStopped {
		t.Fatal(stopped, err)
	}
	u.do(t, updateWebhook, vars{"input": vars{"id": id, "paused": false}}).want(t, "a stopped one", http.StatusOK, "CONFLICT")
	b.log.wantNoSecrets(t, secret, "example.com/hook")
}

// TestWebhookDeliveries: editors test webhooks, and read and retry deliveries; they cannot create
// webhooks. Viewers see nothing.
func TestWebhookDeliveries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, editor, viewer := signedIn(t, b), signedIn(t, b), signedIn(t, b)
	editor.join(t, owner, account.Editor)
	viewer.join(t, owner, account.Viewer)
	id, sent := owner.webhook(t)
	editor.in(t, owner, createWebhook, vars{"input": vars{"url": "https://example.com", "events": []string{"CREDITS_LOW"}}}).
		want(t, "created by an editor", http.StatusOK, "FORBIDDEN")
	list := viewer.in(t, owner, `{ viewer { name webhooks { id } } }`, nil)
	list.want(t, "listed by a viewer", http.StatusOK, "FORBIDDEN")
	list.text(t, "viewer.name")
	editor.in(t, owner, retryWebhook, vars{"id": sent}).wantValues(t, "sent again",
		map[string]any{"retryWebhookDelivery.delivery.sentAt": nil})
	editor.in(t, owner, retryWebhook, vars{"id": sent}).want(t, "one that waits", http.StatusOK, "CONFLICT")
	storetest.Exec(t, b.store, `UPDATE outbox SET due_at = NULL, failed_at = now(), status = 500, error = 'status' WHERE id = $1`, sent)
	for range 9 {
		const at = "testWebhook.delivery."
		a := editor.in(t, owner, testWebhook, vars{"id": id})
		a.wantValues(t, "a test", map[string]any{at + "event": "WEBHOOK_TEST", at + "tries": 0, at + "error": nil})
		if body := a.text(t, at+"body"); !strings.HasPrefix(body, `{"type":"webhook.test","timestamp":"2`) ||
			!strings.HasSuffix(body, `Z","data":{"account_id":"`+owner.account.ID.String()+`"}}`) {
			t.Errorf("the body is %s", body)
		}
	}
	editor.in(t, owner, testWebhook, vars{"id": id}).want(t, "the eleventh test", http.StatusOK, "RATE_LIMITED")
	const at = "viewer.webhooks.0.deliveries.nodes."
	editor.in(t, owner, listDeliveries, vars{"failed": true}).wantValues(t, "failed ones",
		map[string]any{at + "0.error": "STATUS", at + "0.status": 500, at + "1": nil})
	editor.in(t, owner, listDeliveries, vars{"failed": false}).wantValues(t, "the others",
		map[string]any{at + "8.error": nil, at + "9": nil})
}

// TestWebhooksSwitchedOff: every change is CONFLICT until the operator switches webhooks on.
func TestWebhooksSwitchedOff(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t, func(o *options) { o.graph.Webhooks = nil }))
	schema := parsed(t)
	f := &filler{t: t, schema: schema, owned: ids{"webhook": uuid.New(), "webhookdelivery": uuid.New()}, found: map[string]string{}}
	n := 0
	for _, o := range operations(schema) {
		if strings.Contains(o.field.Name, "Webhook") {
			n++
			u.do(t, o.document(schema), f.arguments(o)).want(t, o.field.Name, http.StatusOK, "CONFLICT")
		}
	}
	if n != 6 {
		t.Errorf("%d operations", n)
	}
	u.do(t, `{ serviceInfo { ownerWebhooks } viewer { webhooks { id } } }`, nil).
		wantValues(t, "switched off", map[string]any{"serviceInfo.ownerWebhooks": false, "viewer.webhooks.0": nil})
}
