package server

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"agentchat/internal/chat"
)

// chatMetrics holds the metrics of chats and model calls. No label has a value per account.
type chatMetrics struct {
	total    *prometheus.CounterVec
	seconds  prometheus.Histogram
	own      prometheus.Histogram
	model    *prometheus.HistogramVec
	failures *prometheus.CounterVec
	tokens   *prometheus.CounterVec
	cost     *prometheus.CounterVec
	uncosted *prometheus.CounterVec
	released *prometheus.CounterVec
}

// replyBuckets reach from a refusal to a model that uses its whole time limit, in seconds.
var replyBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 60, 100}

// ownBuckets range from a stored reply to an overloaded database, in seconds.
var ownBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

func newChatMetrics(registry *prometheus.Registry) chatMetrics {
	m := chatMetrics{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_chats_total",
			Help: "Answered requests to the chat API by error code, empty for a reply, and by model, empty when none was reached.",
		}, []string{"code", "model"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "agentchat_chat_seconds", Buckets: replyBuckets,
			Help: "Time from the header of a chat's request to the end of its reply; refused and failed ones are left out.",
		}),
		own: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "agentchat_own_seconds", Buckets: ownBuckets,
			Help: "Time of a chat's reply without the wait for another message and the model calls.",
		}),
		model: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "agentchat_model_seconds", Buckets: replyBuckets,
			Help: "Time that calls of models took, failed ones too, of the API and the playground.",
		}, []string{"provider", "model"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_model_failures_total",
			Help: "Failed calls of models: key_refused, away, circuit_open, throttled, timed_out, bad_answer, blocked or broken.",
		}, []string{"provider", "model", "cause"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_tokens_total",
			Help: "Tokens that models reported, by kind: input, output, or cached for the part of the input that was cached.",
		}, []string{"model", "kind"}),
		cost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_provider_cost_usd_total",
			Help: "Known costs of model calls at their providers, in US dollars at the prices of the models file.",
		}, []string{"model"}),
		uncosted: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_uncosted_calls_total",
			Help: "Model calls whose provider cost is unknown: no price, no token counts, or no complete response.",
		}, []string{"model"}),
		released: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentchat_released_turns_total",
			Help: "Turns whose holds this process released: their replica died, their deadline passed, " +
				"or their request ended without settling them.",
		}, []string{"reason"}),
	}
	for _, reason := range []chat.Reason{chat.ReplicaDied, chat.DeadlinePassed, chat.Unsettled} {
		m.released.WithLabelValues(string(reason)) // from 0 on
	}
	registry.MustRegister(m.total, m.seconds, m.own, m.model, m.failures, m.tokens, m.cost, m.uncosted, m.released)
	return m
}

// ObserveChat counts one answered request to the chat API. own is the service's part of the time; 0
// without a reply.
func (m *Metrics) ObserveChat(code, model string, took, own time.Duration) {
	m.chats.total.WithLabelValues(code, model).Inc()
	if code == "" {
		m.chats.seconds.Observe(took.Seconds())
	}
	if own > 0 {
		m.chats.own.Observe(own.Seconds())
	}
}

// ObserveBackground counts one background message at its end, without its time.
func (m *Metrics) ObserveBackground(end chat.BackgroundEnd) {
	m.chats.total.WithLabelValues(end.Code, end.Model).Inc()
	m.credits.Add(float64(end.Credits))
}

// ObserveModel counts one call of a model.
func (m *Metrics) ObserveModel(c chat.ModelCall) {
	provider, _, _ := strings.Cut(c.Model, "/")
	if c.Duration > 0 {
		m.chats.model.WithLabelValues(provider, c.Model).Observe(c.Duration.Seconds())
	}
	if c.Cause != "" {
		m.chats.failures.WithLabelValues(provider, c.Model, string(c.Cause)).Inc()
	}
	for kind, n := range map[string]int64{"input": c.InputTokens, "cached": c.CachedTokens,
		"output": c.OutputTokens} {
		if n > 0 {
			m.chats.tokens.WithLabelValues(c.Model, kind).Add(float64(n))
		}
	}
}

// ObserveCost counts one call's cost at its provider, in nano-dollars; nil if it is unknown.
func (m *Metrics) ObserveCost(model string, nanos *int64) {
	cost, uncosted := m.chats.cost.WithLabelValues(model), m.chats.uncosted.WithLabelValues(model) // from 0 on
	if nanos == nil {
		uncosted.Inc()
		return
	}
	cost.Add(float64(*nanos) / 1e9)
}

// Released counts turns that background work failed.
func (m *Metrics) Released(reason chat.Reason, turns int) {
	m.chats.released.WithLabelValues(string(reason)).Add(float64(turns))
}

// WatchHolds adds how many credits' holds are pending, over all replicas, and the age of the
// oldest; read is called at each scrape. Call it once.
func (m *Metrics) WatchHolds(read func(context.Context) (pending int64, oldest time.Duration, err error)) {
	m.registry.MustRegister(holds{read})
}

// holds collects the pending holds in one statement. While the database is away there are no such
// metrics.
type holds struct {
	read func(context.Context) (int64, time.Duration, error)
}

var (
	holdsPending = prometheus.NewDesc("agentchat_holds_pending",
		"Messages for which credits are held, over all replicas.", nil, nil)
	oldestHold = prometheus.NewDesc("agentchat_oldest_hold_seconds",
		"Age of the oldest of them, background messages only after their deadline; 0 without any. "+
			"Much more than MODEL_TIMEOUT means that holds are not released.", nil, nil)
)

// Describe sends the metrics' descriptions.
func (holds) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- holdsPending
	descriptions <- oldestHold
}

// Collect sends the gauges.
func (h holds) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), ReadyTimeout)
	defer cancel()
	pending, oldest, err := h.read(ctx)
	if err != nil {
		return
	}
	metrics <- prometheus.MustNewConstMetric(holdsPending, prometheus.GaugeValue, float64(pending))
	metrics <- prometheus.MustNewConstMetric(oldestHold, prometheus.GaugeValue, oldest.Seconds())
}
