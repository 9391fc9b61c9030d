package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"agentchat/internal/httpapi"
)

// Metrics is the metrics registry of one service.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	credits  prometheus.Counter
	waits    *prometheus.HistogramVec
	intruded prometheus.Counter
	chats    chatMetrics
}

// NewMetrics returns a registry with metrics for requests, credits, the Go runtime and the process.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_http_requests_total",
			Help: "Answered requests by route, status and error code; the code is empty when there is no error.",
		}, []string{"route", "status", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "agentchat_http_request_duration_seconds",
			Help: "Time from a request's header to the end of its response, by route.",
			// From a refusal to a model that uses its whole time limit.
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 100},
		}, []string{"route"}),
		credits: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "agentchat_credits_charged_total",
			Help: "Credits taken for answered messages by this process.",
		}),
	}
	m.waits = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "agentchat_db_wait_seconds",
		Help:    "Time that a statement waited for its account's turn at the database, by class: chats or panel.",
		Buckets: []float64{.0001, .001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"class"})
	m.intruded = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "agentchat_admin_refused_total",
		Help: "Requests of the admin API without the right token.",
	})
	m.chats = newChatMetrics(m.registry)
	m.registry.MustRegister(m.requests, m.duration, m.credits, m.waits, m.intruded,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Observe counts one answered request, and the credits that it was charged.
func (m *Metrics) Observe(a httpapi.AccessRecord, credits int64) {
	m.requests.WithLabelValues(a.Route, strconv.Itoa(a.Status), a.Code).Inc()
	m.duration.WithLabelValues(a.Route).Observe(a.Duration.Seconds())
	m.credits.Add(float64(max(credits, 0)))
}

// AdminRefused counts a request of the admin API without the right token.
func (m *Metrics) AdminRefused() { m.intruded.Inc() }

// Watch adds the metrics of another part of the service, such as its connection pool. It panics
// when the same is added twice.
func (m *Metrics) Watch(collector prometheus.Collector) { m.registry.MustRegister(collector) }

// WatchTurns adds the number of turns in flight; inFlight is called at each scrape. Call WatchTurns
// once.
func (m *Metrics) WatchTurns(inFlight func() int64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "agentchat_turns_in_flight",
		Help: "Messages that this process is answering, or that wait in it for their session.",
	}, func() float64 { return float64(inFlight()) }))
}

// WatchReplicas adds the number of replicas that beat; alive is called at each scrape. Call
// WatchReplicas once.
func (m *Metrics) WatchReplicas(alive func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "agentchat_replicas",
		Help: "Replicas whose beats this process sees, its own included; 0 with fewer than 4 connections.",
	}, func() float64 { return float64(alive()) }))
}

// WatchMemory adds the memory that requests hold; used is called at each scrape. Call WatchMemory
// once.
func (m *Metrics) WatchMemory(used func() int64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "agentchat_request_memory_bytes",
		Help: "Memory that the requests in progress hold of what they may hold together.",
	}, func() float64 { return float64(used()) }))
}

// Waited counts how long a statement of a class waited.
func (m *Metrics) Waited(class string, wait time.Duration) {
	m.waits.WithLabelValues(class).Observe(wait.Seconds())
}

// WatchQueue adds the number of statements of chats that wait for their turn; waiting is called at
// each scrape. Call it once.
func (m *Metrics) WatchQueue(waiting func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "agentchat_queue_waiting",
		Help: "Statements of chats that wait for their account's turn at the database.",
	}, func() float64 { return float64(waiting()) }))
}

// WatchDropped adds the number of rejected requests that could not be recorded; dropped is called
// at each scrape. Call it once.
func (m *Metrics) WatchDropped(dropped func() int64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "agentchat_rejected_requests_dropped_total",
		Help: "Rejected and replayed requests that this process could not record for the panel.",
	}, func() float64 { return float64(dropped()) }))
}

// WatchCircuits adds how many accounts cannot call a model; open is called at each scrape. Call
// WatchCircuits once.
func (m *Metrics) WatchCircuits(open func() map[string]int) { m.registry.MustRegister(circuits{open}) }

// circuits collects the open circuits of each model.
type circuits struct{ open func() map[string]int }

var circuitsOpen = prometheus.NewDesc("agentchat_model_circuits_open",
	"Accounts whose circuit of the model is open in this process: their messages to it are refused at once.", []string{"model"}, nil)

// Describe sends the metric's description.
func (circuits) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- circuitsOpen }

// Collect sends a gauge for each model that has circuits.
func (c circuits) Collect(metrics chan<- prometheus.Metric) {
	for model, accounts := range c.open() {
		metrics <- prometheus.MustNewConstMetric(circuitsOpen, prometheus.GaugeValue, float64(accounts), model)
	}
}

// Handler serves the metrics in the Prometheus text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
