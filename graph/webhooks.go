package graph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/webhooks"
	"agentchat/internal/webhook"
)

// An account can send maxWebhookTests test events within webhookTestWindow.
const (
	maxWebhookTests   = 10
	webhookTestWindow = time.Minute
)

// ownerWebhooks returns what manages owners' webhooks. Fault: Conflict while the operator has not
// switched them on.
func (r *Resolver) ownerWebhooks() (*webhook.Owners, error) {
	if r.webhooks == nil {
		return nil, fault.New(fault.Conflict, "Webhooks aren’t available on this service.")
	}
	return r.webhooks, nil
}

// webhooksOf returns the webhooks of an account. Fault: roleForbids.
func (r *Resolver) webhooksOf(
	ctx context.Context, a *account.Account,
) ([]*webhooks.Webhook, error) {
	if err := mayUse(ctx, "Account.webhooks"); err != nil {
		return nil, err
	}
	found, err := webhooks.On(r.store).List(ctx, a.ID)
	makers := collect(found, func(w webhooks.Webhook) *uuid.UUID { return w.CreatedBy })
	loadersOf(ctx).actors.batch(makers)
	return pointers(found), err
}

// deliveries returns a page of a webhook's deliveries.
func (r *Resolver) deliveries(
	ctx context.Context, obj *webhooks.Webhook, first *int, after *string, failed *bool,
) (*model.WebhookDeliveryConnection, error) {
	size, cursor, err := pageOf(store.DeliveryCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := webhooks.On(r.store).Deliveries(ctx, obj.AccountID, obj.ID,
		webhooks.DeliveryQuery{First: size, After: cursor, Failed: failed})
	var read texts
	for _, d := range page.Items {
		read.add(d.Data)
	}
	if err = cmp.Or(err, requestOf(ctx).haveRead(read)); err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.WebhookDeliveryConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(d webhooks.Delivery) string {
		return store.Cursor{ID: d.ID}.Encode(store.DeliveryCursor, obj.AccountID)
	}, func(cursor string, node *webhooks.Delivery) *model.WebhookDeliveryEdge {
		return &model.WebhookDeliveryEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

func (r *Resolver) createWebhook(
	ctx context.Context, input model.CreateWebhookInput,
) (*model.CreateWebhookPayload, error) {
	owners, err := r.ownerWebhooks()
	if err != nil {
		return nil, err
	}
	made, secret, err := owners.Create(ctx, owner(ctx), input.URL, eventsOf(input.Events), author(ctx))
	return &model.CreateWebhookPayload{Webhook: &made, Secret: secret}, err
}

func (r *Resolver) updateWebhook(
	ctx context.Context, input model.UpdateWebhookInput,
) (*model.UpdateWebhookPayload, error) {
	owners, err := r.ownerWebhooks()
	if err != nil {
		return nil, err
	}
	change := webhooks.Change{URL: input.URL.Value(), Paused: input.Paused.Value()}
	if input.URL.IsSet() && change.URL == nil {
		change.URL = new(string) // null is refused as an empty address
	}
	if input.Events.IsSet() {
		change.Events = eventsOf(input.Events.Value())
	}
	changed, err := owners.Update(ctx, owner(ctx), input.ID, change)
	return &model.UpdateWebhookPayload{Webhook: &changed}, err
}

func (r *Resolver) rotateWebhookSecret(
	ctx context.Context, input model.RotateWebhookSecretInput,
) (*model.RotateWebhookSecretPayload, error) {
	owners, err := r.ownerWebhooks()
	if err != nil {
		return nil, err
	}
	changed, secret, err := owners.Rotate(ctx, owner(ctx), input.ID)
	return &model.RotateWebhookSecretPayload{Webhook: &changed, Secret: secret}, err
}

func (r *Resolver) deleteWebhook(
	ctx context.Context, input model.DeleteWebhookInput,
) (*model.DeleteWebhookPayload, error) {
	_, err := r.ownerWebhooks()
	if err == nil {
		err = webhooks.On(r.store).Delete(ctx, owner(ctx), input.ID)
	}
	return &model.DeleteWebhookPayload{DeletedWebhookID: input.ID}, err
}

// testWebhook sends a test event. Faults: RateLimited and those of webhooks.Store.Test.
func (r *Resolver) testWebhook(
	ctx context.Context, input model.TestWebhookInput,
) (*model.TestWebhookPayload, error) {
	if _, err := r.ownerWebhooks(); err != nil {
		return nil, err
	}
	account := owner(ctx)
	key := sha256.Sum256([]byte("webhook tests\x00" + account.String()))
	a, err := throttles.On(r.store.Own()).
		Throttle(ctx, key, uuid.Nil, maxWebhookTests, webhookTestWindow)
	if err == nil && !a.Allowed {
		err = &fault.Error{Kind: fault.RateLimited, RetryAfter: a.RetryAfter,
			Message: "You have sent 10 test events within a minute. Wait before you send another one."}
	}
	if err != nil {
		return nil, err
	}
	queued, err := webhooks.On(r.store).Test(ctx, account, input.ID)
	return &model.TestWebhookPayload{Delivery: &queued}, err
}

func (r *Resolver) retryWebhookDelivery(
	ctx context.Context, input model.RetryWebhookDeliveryInput,
) (*model.RetryWebhookDeliveryPayload, error) {
	if _, err := r.ownerWebhooks(); err != nil {
		return nil, err
	}
	queued, err := webhooks.On(r.store).RetryDelivery(ctx, owner(ctx), input.ID)
	return &model.RetryWebhookDeliveryPayload{Delivery: &queued}, err
}

// webhookEvent returns the name of an event in the schema.
func webhookEvent(e notifications.Event) model.WebhookEvent {
	return model.WebhookEvent(strings.ToUpper(strings.ReplaceAll(string(e), ".", "_")))
}

// eventsOf returns the events of a list in the schema.
func eventsOf(names []model.WebhookEvent) []notifications.Event {
	out := make([]notifications.Event, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(webhooks.Events, func(e notifications.Event) bool {
			return webhookEvent(e) == name
		})
		if i < 0 {
			out = append(out, notifications.WebhookTest) // which is refused
			continue
		}
		out = append(out, webhooks.Events[i])
	}
	return out
}
