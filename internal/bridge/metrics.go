package bridge

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics is the registry of one bridge.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	retries  *prometheus.CounterVec
}

func newMetrics(inFlight func() float64) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_bridge_requests_total",
			Help: "Requests by API and status; 0 for a client that left.",
		}, []string{"api", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "agentchat_bridge_request_seconds",
			Help:    "Time from a request's header to the end of its response, by API.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 60, 130},
		}, []string{"api"}),
		retries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_bridge_upstream_retries_total",
			Help: "Messages that were sent to the service again: connection, cut, or its error code.",
		}, []string{"reason"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.retries,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "agentchat_bridge_in_flight",
			Help: "Requests in flight.",
		}, inFlight),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) observe(api string, status int, took time.Duration) {
	m.requests.WithLabelValues(api, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(api).Observe(took.Seconds())
}

func (m *metrics) repeated(reason string) { m.retries.WithLabelValues(reason).Inc() }

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
