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

// unsentWebhook is an unsent event under --json.
type unsentWebhook struct {
	ID        uuid.UUID       `json:"id"`
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
	Tries     int16           `json:"tries"`
	CreatedAt time.Time       `json:"created_at"`
	FailedAt  *time.Time      `json:"failed_at"`
	Error     string          `json:"error"`
}

// Run lists the oldest 1,000 unsent events.
func (c *webhookListCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := notifications.On(db.DB).Unsent(ctx, notifications.WebhookKind)
		if err != nil {
			return err
		}
		events, lines := []unsentWebhook{}, []string{}
		for _, m := range found {
			events = append(events, unsentWebhook{
				ID:        m.ID,
				Type:      string(m.Message),
				Data:      json.RawMessage(m.Data),
				Tries:     m.Tries,
				CreatedAt: m.CreatedAt,
				FailedAt:  m.FailedAt,
				Error:     m.Error,
			})
			lines = append(lines, unsentLine(m, m.Data))
		}
		if len(lines) == 0 {
			lines = append(lines, "No webhook is waiting or has failed.")
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"webhooks": events})
	})
}

// webhookRetryCmd is `agentchat webhook retry`.
type webhookRetryCmd struct{ retryCmd }

// Run puts failed events back in the queue. A replica with WEBHOOK_URL sends them.
func (c *webhookRetryCmd) Run(ctx context.Context, out *output) error {
	return c.retry(ctx, out, notifications.WebhookKind)
}
