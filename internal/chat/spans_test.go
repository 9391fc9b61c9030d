package chat_test

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// traceCollector gets spans over OTLP and HTTP.
type traceCollector struct {
	provider *sdk.TracerProvider
	mu       sync.Mutex
	bodies   [][]byte
}

// collected is the collector of all tests that trace, because the service's tracer keeps the first
// provider. Messages of other tests have no spans.
var collected = sync.OnceValue(func() *traceCollector {
	c := &traceCollector{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies = append(c.bodies, body)
	}))
	exporter, _ := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpointURL(server.URL))
	c.provider = sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithSampler(sdk.ParentBased(sdk.NeverSample())))
	otel.SetTracerProvider(c.provider)
	return c
})

// spans returns the spans of a trace that have ended, by their start, and all bytes so far.
func (c *traceCollector) spans(t *testing.T, of trace.TraceID) (spans []*otlp.Span, sent string) {
	t.Helper()
	if err := c.provider.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, body := range c.bodies {
		var export collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(body, &export); err != nil {
			t.Fatal(err)
		}
		for _, s := range export.ResourceSpans[0].ScopeSpans[0].Spans {
			if trace.TraceID(s.TraceId) == of {
				spans = append(spans, s)
			}
		}
		sent += string(body)
	}
	slices.SortFunc(spans, func(a, b *otlp.Span) int { return cmp.Compare(a.StartTimeUnixNano, b.StartTimeUnixNano) })
	return spans, sent
}

// TestModelCallSpans tests that each model call has a client span with the attributes of
// OpenTelemetry's conventions, and no text: the first model's, and both attempts of the fallback
// model. The turn's model time is that of these calls.
func TestModelCallSpans(t *testing.T) {
	t.Parallel()
	const took = 10 * time.Millisecond
	slow := func(end answer, cached *int64) answer {
		return func(ctx context.Context) (llm.Reply, error) {
			<-time.After(took)
			reply, err := end(ctx)
			reply.CachedTokens = cached
			return reply, err
		}
	}
	second := script(slow(says(`{"note":"secret","count":0}`), nil), slow(says(`{"note":"secret","count":1}`), new(int64(400))))
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(
			catalogue.Entry{Name: "gemini/quick", Provider: "gemini", UpstreamName: "gemini-quick", CreditsPerMessage: 1,
				ContextWindow: 100_000, Model: script(slow(fails(byProvider(fault.ModelUnavailable)), nil))},
			catalogue.Entry{Name: "acme/large", Provider: "acme", UpstreamName: "acme-large-2", CreditsPerMessage: 1,
				ContextWindow: 100_000, Model: second})
	})
	f := storetest.Seed(t, b.store, storetest.Options{
		Model: "gemini/quick", FallbackModel: "acme/large", ReplySchema: orderSchema, Instructions: "Keep the secret.",
	})
	traced, of := collected(), trace.TraceID(uuid.New())
	ctx := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(
		trace.SpanContextConfig{TraceID: of, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled}))
	result, err := b.replicas[0].Send(ctx, newMessage(f, "secret", "A secret."))
	if err != nil {
		t.Fatal(err)
	}
	spans, sent := traced.spans(t, of)
	names, got, total := map[string]string{}, []string{}, time.Duration(0)
	for _, span := range spans { // a parent starts first
		names[string(span.SpanId)] = span.Name
		if span.Kind != otlp.Span_SPAN_KIND_CLIENT {
			continue
		}
		total += time.Duration(span.EndTimeUnixNano - span.StartTimeUnixNano)
		attributes := []string{span.Name + " in " + names[string(span.ParentSpanId)]}
		for _, a := range span.Attributes {
			value := cmp.Or(a.Value.GetStringValue(), strconv.FormatInt(a.Value.GetIntValue(), 10))
			attributes = append(attributes, a.Key+"="+value)
		}
		slices.Sort(attributes)
		got = append(got, strings.Join(append(attributes, "status="+span.Status.GetMessage()), " "))
	}
	const large = "chat acme-large-2 in model gen_ai.operation.name=chat gen_ai.provider.name=acme gen_ai.request.model=acme-large-2"
	want := []string{
		"chat gemini-quick in model error.type=away gen_ai.operation.name=chat gen_ai.provider.name=gcp.gemini " +
			"gen_ai.request.model=gemini-quick status=model_unavailable",
		large + " gen_ai.usage.input_tokens=1000 gen_ai.usage.output_tokens=10 status=",
		large + " gen_ai.usage.cache_read.input_tokens=400 gen_ai.usage.input_tokens=1000 gen_ai.usage.output_tokens=10 status=",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the spans are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, text := range []string{"secret", f.Key.Reveal()} {
		if strings.Contains(sent, text) {
			t.Errorf("the spans contain %q", text)
		}
	}
	if result.ModelTime < 3*took || result.ModelTime > total {
		t.Errorf("the model time is %v, of calls of %v", result.ModelTime, total)
	}
}
