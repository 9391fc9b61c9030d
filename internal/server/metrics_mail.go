package server

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// WatchMail adds how many mails wait and how many ended without success, over all replicas; read is called at each scrape. Call it once.
func (m *Metrics) WatchMail(read func(context.Context) (waiting, failed int64, err error)) {
	m.registry.MustRegister(mails{read})
}

// mails collects the unsent mails in one statement. While the database is away there are no such metrics.
type mails struct {
	read func(context.Context) (waiting, failed int64, err error)
}

var (
	mailsWaiting = prometheus.NewDesc("agentchat_mails_waiting", "Mails that wait to be sent or tried again, over all replicas.", nil, nil)
	mailsFailed  = prometheus.NewDesc("agentchat_mails_failed", "Mails that could not be sent: agentchat mail list says why.", nil, nil)
)

// Describe sends the metrics' descriptions.
func (mails) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- mailsWaiting
	descriptions <- mailsFailed
}

// Collect sends the gauges.
func (m mails) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	waiting, failed, err := m.read(ctx)
	if err != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(mailsWaiting, prometheus.GaugeValue, float64(waiting))
	metrics <- prometheus.MustNewConstMetric(mailsFailed, prometheus.GaugeValue, float64(failed))
}
