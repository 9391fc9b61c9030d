package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/admin"
	"agentchat/internal/store/operator"
)

// webhookOwnersCmd is `agentchat webhook owners`.
type webhookOwnersCmd struct{ databaseSettings }

// webhooksAtOnce is the number of webhooks that are read at a time.
const webhooksAtOnce = 500

// Run lists the webhooks of all accounts.
func (c *webhookOwnersCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		list, lines := []admin.Webhook{}, []string{}
		var after uuid.UUID
		for {
			found, err := operator.On(db.DB).Webhooks(ctx, after, webhooksAtOnce)
			if err != nil {
				return err
			}
			for _, w := range found {
				list, after = append(list, admin.WebhookOf(w)), w.ID
				lines = append(lines, fmt.Sprintf("%s  %-7s  account %s  waiting: %d  failed: %d  %s",
					w.ID, w.State, w.AccountID, w.Waiting, w.Failed, w.URL))
			}
			if len(found) < webhooksAtOnce {
				break
			}
		}
		if len(lines) == 0 {
			lines = append(lines, "No owner has a webhook.")
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"webhooks": list})
	})
}

// setWebhookCmd stops or allows a webhook of an owner.
type setWebhookCmd struct {
	databaseSettings
	actingOperator
	ID string `arg:"" help:"The webhook's ID, as webhook owners lists it."`
}

func (c *setWebhookCmd) set(
	ctx context.Context, out *output, command, says string, stop bool,
) error {
	ctx, err := c.acting(ctx, command)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(c.ID)
	if err != nil {
		return usagef("name the webhook by its ID, as agentchat webhook owners lists it, not by %q", c.ID)
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		changed, err := operator.On(db.DB).StopWebhook(ctx, id, stop)
		if err != nil {
			return err
		}
		return out.result("The webhook "+says, admin.WebhookOf(changed))
	})
}

// webhookStopCmd is `agentchat webhook stop`.
type webhookStopCmd struct{ setWebhookCmd }

// Run stops a webhook.
func (c *webhookStopCmd) Run(ctx context.Context, out *output) error {
	return c.set(ctx, out, "webhook stop",
		"is stopped: nothing is posted to it, and owners cannot resume it.", true)
}

// webhookAllowCmd is `agentchat webhook allow`.
type webhookAllowCmd struct{ setWebhookCmd }

// Run allows a stopped webhook.
func (c *webhookAllowCmd) Run(ctx context.Context, out *output) error {
	return c.set(ctx, out, "webhook allow", "is on: it gets events from now on.", false)
}
