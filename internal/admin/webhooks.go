package admin

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/webhooks"
)

// Webhook is an owner's webhook in the output of this API and of the commands.
type Webhook struct {
	ID           uuid.UUID             `json:"id"`
	AccountID    uuid.UUID             `json:"account_id"`
	URL          string                `json:"url"`
	Events       []notifications.Event `json:"events"`
	State        webhooks.State        `json:"state"`
	FailingSince *time.Time            `json:"failing_since"`
	Waiting      int64                 `json:"waiting"`
	Failed       int64                 `json:"failed"`
	Dropped      int64                 `json:"dropped"`
	CreatedAt    time.Time             `json:"created_at"`
}

// WebhookOf returns a webhook for the output.
func WebhookOf(w operator.OwnersWebhook) Webhook {
	out := Webhook{
		ID:           w.ID,
		AccountID:    w.AccountID,
		URL:          w.URL,
		Events:       w.Events,
		State:        w.State,
		FailingSince: w.FailingSince,
		Waiting:      w.Waiting,
		Failed:       w.Failed,
		Dropped:      w.Dropped,
		CreatedAt:    w.CreatedAt.UTC(),
	}
	if out.FailingSince != nil {
		*out.FailingSince = out.FailingSince.UTC()
	}
	return out
}

// webhookPage is a page of webhooks. Next is the parameter after of the next page; nil on the last.
type webhookPage struct {
	Webhooks []Webhook  `json:"webhooks"`
	Next     *uuid.UUID `json:"next"`
}

func (ex *exchange) webhooks() (any, error) {
	query := ex.R.URL.Query()
	var after uuid.UUID
	limit := pageSize
	var err error
	if text := query.Get("after"); text != "" {
		if after, err = uuid.Parse(text); err != nil {
			return nil, badAfter()
		}
	}
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > pageSize {
			return nil, invalid("limit", "limit must be from 1 to 100.")
		}
	}
	found, err := operator.On(ex.api.Store).Webhooks(ex.R.Context(), after, limit+1)
	if err != nil {
		return nil, err
	}
	out := webhookPage{Webhooks: []Webhook{}}
	for i, w := range found {
		if i == limit {
			out.Next = &found[i-1].ID
			break
		}
		out.Webhooks = append(out.Webhooks, WebhookOf(w))
	}
	return out, nil
}

func (ex *exchange) stopWebhook() (any, error) { return ex.setWebhook("webhook stop", true) }

func (ex *exchange) allowWebhook() (any, error) { return ex.setWebhook("webhook allow", false) }

func (ex *exchange) setWebhook(command string, stop bool) (any, error) {
	id, err := uuid.Parse(ex.R.PathValue("id"))
	if err != nil {
		return nil, fault.New(fault.NotFound, "There is no such webhook.")
	}
	changed, err := operator.On(ex.api.Store).StopWebhook(ex.acting(command), id, stop)
	return WebhookOf(changed), err
}
