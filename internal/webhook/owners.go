package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/webhooks"
)

// Owners creates and changes owners' webhooks and their secrets.
type Owners struct {
	Store  *store.DB
	Tokens *auth.Tokens
	// CheckURL returns the fault InvalidInput for an address that is not allowed.
	CheckURL func(string) error
}

// newSecret returns a new secret, as owners see it and encrypted for the webhook.
func (o *Owners) newSecret(id uuid.UUID) (text string, encrypted []byte) {
	random := make([]byte, leastSecret)
	_, _ = rand.Read(random) // never fails: crypto/rand ends the process instead (Go 1.24)
	return prefix + base64.StdEncoding.EncodeToString(random), o.Tokens.Encrypt(id, random)
}

// Create creates a webhook and returns its secret. Faults: InvalidInput on url and events, and those
// of webhooks.Store.Create.
func (o *Owners) Create(
	ctx context.Context, accountID uuid.UUID, url string, events []notifications.Event, by *uuid.UUID,
) (webhooks.Webhook, string, error) {
	if err := o.check(&url, events); err != nil {
		return webhooks.Webhook{}, "", err
	}
	id := uuid.Must(uuid.NewV7())
	text, encrypted := o.newSecret(id)
	made, err := webhooks.On(o.Store).Create(ctx, accountID,
		webhooks.New{ID: id, URL: url, Events: sorted(events), Secret: encrypted, CreatedBy: by})
	return made, text, err
}

// Update changes a webhook. Faults: InvalidInput on url and events, and those of
// webhooks.Store.Update.
func (o *Owners) Update(
	ctx context.Context, accountID, id uuid.UUID, c webhooks.Change,
) (webhooks.Webhook, error) {
	if err := o.check(c.URL, c.Events); err != nil {
		return webhooks.Webhook{}, err
	}
	if c.Events != nil {
		c.Events = sorted(c.Events)
	}
	return webhooks.On(o.Store).Update(ctx, accountID, id, c)
}

// Rotate replaces the secret of a webhook and returns the new one. Fault: NotFound.
func (o *Owners) Rotate(ctx context.Context, accountID, id uuid.UUID,
) (webhooks.Webhook, string, error) {
	text, encrypted := o.newSecret(id)
	changed, err := webhooks.On(o.Store).Rotate(ctx, accountID, id, encrypted)
	return changed, text, err
}

// check checks the address and the events of a webhook unless they are nil.
func (o *Owners) check(url *string, events []notifications.Event) error {
	if url != nil {
		if err := o.CheckURL(*url); err != nil {
			return err
		}
	}
	wrong := func(e notifications.Event) bool { return !slices.Contains(webhooks.Events, e) }
	if events != nil && (len(events) == 0 || slices.ContainsFunc(events, wrong)) {
		return fault.Invalid(fault.Field{Path: "events", Reason: fault.InvalidValue,
			Message: "Select at least one event, but not WEBHOOK_TEST."})
	}
	return nil
}

// sorted returns events in the order of webhooks.Events, each once.
func sorted(events []notifications.Event) (out []notifications.Event) {
	for _, e := range webhooks.Events {
		if slices.Contains(events, e) {
			out = append(out, e)
		}
	}
	return out
}
