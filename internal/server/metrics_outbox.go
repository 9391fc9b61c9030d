package server

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"agentchat/internal/store"
)

// WatchOutbox adds how many mails and webhooks wait and how many ended without success, over all replicas; read is called at each scrape.
// Call it once.
func (m *Metrics) WatchOutbox(read func(context.Context, store.Kind) (waiting, failed int64, err error)) {
	m.registry.MustRegister(messages{read})
}

// messages collects the unsent messages. While the database is away there are no such metrics.
type messages struct {
	read func(context.Context, store.Kind) (waiting, failed int64, err error)
}

// unsent are the metrics of each kind: what waits, and what failed.
var unsent = map[store.Kind][2]*prometheus.Desc{
	store.MailKind: {
		prometheus.NewDesc("agentchat_mails_waiting", "Mails that wait to be sent or tried again, over all replicas.", nil, nil),
		prometheus.NewDesc("agentchat_mails_failed", "Mails that could not be sent: agentchat mail list says why.", nil, nil),
	},
	store.WebhookKind: {
		prometheus.NewDesc("agentchat_webhooks_waiting", "Events that wait to be posted or tried again, over all replicas.", nil, nil),
		prometheus.NewDesc("agentchat_webhooks_failed", "Events that could not be posted: agentchat webhook list says why.", nil, nil),
	},
}

// Describe sends the metrics' descriptions.
func (messages) Describe(descriptions chan<- *prometheus.Desc) {
	for _, kind := range unsent {
		descriptions <- kind[0]
		descriptions <- kind[1]
	}
}

// Collect sends the gauges.
func (m messages) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	for kind, descriptions := range unsent {
		waiting, failed, err := m.read(ctx, kind)
		if err != nil {
			return
		}
		metrics <- prometheus.MustNewConstMetric(descriptions[0], prometheus.GaugeValue, float64(waiting))
		metrics <- prometheus.MustNewConstMetric(descriptions[1], prometheus.GaugeValue, float64(failed))
	}
}
