package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/notifications"
)

// webhookListCmd is `agentchat webhook list`.
type webhookListCmd struct{ databaseSettings }

// unsentWebhook is an event of the list, under --json.
type unsentWebhook struct {
	ID        uuid.UUID       `json:"id"`
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
	Tries     int16           `json:"tries"`
	CreatedAt time.Time       `json:"created_at"`
	FailedAt  *time.Time      `json:"failed_at"`
	Error     string          `json:"error"`
}

// Run lists the events that were not sent, the oldest 1,000.
func (c *webhookListCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := notifications.On(db.DB).Unsent(ctx, notifications.WebhookKind)
		if err != nil {
			return err
		}
		events, lines := []unsentWebhook{}, []string{}
		for _, m := range found {
			events = append(events, unsentWebhook{m.ID, string(m.Message), json.RawMessage(m.Data), m.Tries, m.CreatedAt,
				m.FailedAt, m.Error})
			lines = append(lines, unsentLine(m, m.Data))
		}
		if len(lines) == 0 {
			lines = append(lines, "No webhook waits, and none has failed.")
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"webhooks": events})
	})
}

// webhookRetryCmd is `agentchat webhook retry`.
type webhookRetryCmd struct{ retryCmd }

// Run has events sent again, by a replica that has WEBHOOK_URL.
func (c *webhookRetryCmd) Run(ctx context.Context, out *output) error {
	return c.retry(ctx, out, notifications.WebhookKind)
}
