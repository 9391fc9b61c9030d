package e2e_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// spans is a collector that keeps what it receives.
type spans struct {
	mu sync.Mutex
	// raw are all request bodies, and names the names of the spans by trace ID.
	raw   strings.Builder
	names map[string][]string
}

func (s *spans) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var batch collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &batch) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(body)
	for _, resource := range batch.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				trace := hex.EncodeToString(span.GetTraceId())
				s.names[trace] = append(s.names[trace], span.GetName())
			}
		}
	}
}

// count returns the number of spans of a trace.
func (s *spans) count(trace string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.names[trace])
}

// TestTraces: a message's spans reach the collector under its caller's trace, with the resource's
// attributes. Neither they nor the log contain a text, a key or a query string. An unreachable
// collector is logged, and messages are answered.
func TestTraces(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	got := &spans{names: map[string][]string{}}
	server := httptest.NewServer(got)
	defer server.Close()
	database := storetest.URL(t)
	r := start(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL, "OTEL_BSP_SCHEDULE_DELAY=50",
		"OTEL_RESOURCE_ATTRIBUTES=deployment=test")
	unreachable := start(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1",
		"OTEL_BSP_SCHEDULE_DELAY=50")
	f := storetest.Seed(t, storetest.Open(t, database), storetest.Options{})
	const trace, refused = "4bf92f3577b34da6a3ce929d0e0e4736", "5bf92f3577b34da6a3ce929d0e0e4736"
	const text, search = "words-of-a-caller", "words-of-a-search"
	parent := func(trace string) []string {
		return []string{"Traceparent", "00-" + trace + "-00f067aa0ba902b7-01"}
	}
	c := client(t)
	for _, chat := range []string{r.Chat, unreachable.Chat} {
		answer, err := ask(t.Context(), c, chat, f.Key.Reveal(), "s", text, parent(trace)...)
		if outcome := outcomeOf(answer, err); outcome != "200" {
			t.Fatal(outcome)
		}
	}
	query := url.QueryEscape(`{ agents(filter: {search: "` + search + `"}) { nodes { id } } }`)
	resp, err := c.Get(r.base() + "/graphql?query=" + query)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Fatalf("a search by GET: %v %v", resp, err)
	}
	_, _ = ask(t.Context(), c, r.Chat, "ac_wrong", "s", text, parent(refused)...)
	const spansOfAMessage = 5 // chat API, message, begin, model, settle
	eventually(t, "all spans arrive", func() bool {
		return got.count(trace) == spansOfAMessage && got.count(refused) > 0
	})
	eventually(t, "the search is logged", func() bool {
		return strings.Contains(r.log.String(), resp.Header.Get("X-Request-Id"))
	})
	got.mu.Lock()
	sent := got.raw.String()
	got.mu.Unlock()
	for _, want := range []string{"deployment", "agentchat", f.Agent.ID.String(), "unauthorized"} {
		if !strings.Contains(sent, want) {
			t.Errorf("no span contains %q", want)
		}
	}
	for _, secret := range []string{text, search, f.Key.Reveal(), "ac_wrong"} {
		if strings.Contains(sent, secret) || strings.Contains(r.log.String(), secret) {
			t.Errorf("a span or the log contains %q", secret)
		}
	}
	eventually(t, "the log says that traces are not sent", func() bool {
		return strings.Contains(unreachable.log.String(), "traces are not sent")
	})
}
