package server

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"agentchat/internal/store/notifications"
)

// WatchOutbox adds how many mails and webhooks wait, for how long, and how many ended without
// success, over all replicas; read is called at each scrape. Call it once.
func (m *Metrics) WatchOutbox(read func(context.Context, notifications.Kind) (notifications.OutboxState, error)) {
	m.registry.MustRegister(messages{read})
}

// messages collects the unsent messages. While the database is away there are no such metrics.
type messages struct {
	read func(context.Context, notifications.Kind) (notifications.OutboxState, error)
}

// unsent are the metrics of each kind: waiting messages, the age of the oldest or nil, and failed
// messages.
var unsent = map[notifications.Kind][3]*prometheus.Desc{
	notifications.MailKind: {
		prometheus.NewDesc("agentchat_mails_waiting", "Mails that wait to be sent or tried again, over all replicas.", nil, nil),
		prometheus.NewDesc("agentchat_oldest_mail_seconds", "Age of the oldest of them, and why it waits; 0 without any.",
			[]string{"why"}, nil),
		prometheus.NewDesc("agentchat_mails_failed", "Mails that could not be sent: agentchat mail list says why.", nil, nil),
	},
	notifications.WebhookKind: {
		prometheus.NewDesc("agentchat_webhooks_waiting", "Events that wait to be posted or tried again, over all replicas.", nil, nil),
		prometheus.NewDesc("agentchat_oldest_webhook_seconds", "Age of the oldest of them; 0 without any.", nil, nil),
		prometheus.NewDesc("agentchat_webhooks_failed", "Events that could not be posted: agentchat webhook list says why.", nil, nil),
	},
	notifications.OwnerWebhookKind: {
		prometheus.NewDesc("agentchat_owner_webhooks_waiting",
			"Events that wait to be posted to owners' webhooks, over all replicas.", nil, nil),
		nil, // events of a paused webhook may be old
		prometheus.NewDesc("agentchat_owner_webhooks_failed",
			"Events that could not be posted to them: agentchat webhook owners counts them.", nil, nil),
	},
}

// Describe sends the metrics' descriptions.
func (messages) Describe(descriptions chan<- *prometheus.Desc) {
	for _, kind := range unsent {
		for _, description := range kind {
			if description != nil {
				descriptions <- description
			}
		}
	}
}

// Collect sends the gauges.
func (m messages) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), ReadyTimeout)
	defer cancel()
	for kind, descriptions := range unsent {
		state, err := m.read(ctx, kind)
		if err != nil {
			return
		}
		oldest := []string{}
		if kind == notifications.MailKind {
			why, _, _ := strings.Cut(state.Reason, ":") // only the code and the step: few values
			oldest = append(oldest, why)
		}
		metrics <- prometheus.MustNewConstMetric(descriptions[0], prometheus.GaugeValue, float64(state.Waiting))
		if descriptions[1] != nil {
			metrics <- prometheus.MustNewConstMetric(descriptions[1], prometheus.GaugeValue, state.Oldest, oldest...)
		}
		metrics <- prometheus.MustNewConstMetric(descriptions[2], prometheus.GaugeValue, float64(state.Failed))
	}
}
