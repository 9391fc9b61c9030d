package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"agentchat/internal/store/storetest"
)

// recordedSpans returns the spans of all tests of this program. The service's tracers use the first
// provider for good.
var recordedSpans = sync.OnceValue(func() *tracetest.SpanRecorder {
	recorder := tracetest.NewSpanRecorder()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)))
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return recorder
})

// TestSpans: the steps of a message are spans of its caller's trace. No span holds a text or a key.
func TestSpans(t *testing.T) {
	t.Parallel()
	recorder := recordedSpans()
	b := newBench(t, storetest.Options{Instructions: "Words of the owner."}, nil)
	const parent = "00f067aa0ba902b7"
	trace := strings.ReplaceAll(uuid.NewString(), "-", "")
	traceparent := "Traceparent: 00-" + trace + "-" + parent + "-01"
	const message = `{"message":"Words of the caller."}`
	b.post(t, message, traceparent)
	b.access(t)
	refusal := sendRaw(t, b.address, request("ac_wrong", message, traceparent))[0]
	refusal.refused(t, http.StatusUnauthorized, "unauthorized")
	b.access(t)

	names, got := map[string]string{parent: "the caller"}, map[string]int{}
	for _, span := range recorder.Started() {
		names[span.SpanContext().SpanID().String()] = span.Name()
	}
	for _, span := range recorder.Ended() {
		if span.SpanContext().TraceID().String() != trace {
			continue
		}
		got[span.Name()+" of "+names[span.Parent().SpanID().String()]]++
		said := fmt.Sprint(span.Name(), span.Attributes(), span.Events(), span.Status())
		for _, secret := range []string{"Words of", b.fixture.Key.Reveal(), "ac_wrong"} {
			if strings.Contains(said, secret) {
				t.Errorf("a span holds %q: %s", secret, said)
			}
		}
		if span.Name() == "message" && !strings.Contains(said, b.fixture.Agent.ID.String()) {
			t.Errorf("the message's span lacks its agent: %s", said)
		}
	}
	want := map[string]int{
		"chat API of the caller":          2,
		"message of chat API":             1,
		"begin of message":                1,
		"model of message":                1,
		"chat sandbox/assistant of model": 1,
		"settle of message":               1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}
