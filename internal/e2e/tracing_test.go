package e2e_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// spans is a collector that keeps what it is sent.
type spans struct {
	mu    sync.Mutex
	all   []*tracepb.Span
	raw   strings.Builder
	about string
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
		s.about = resource.GetResource().String()
		for _, scope := range resource.GetScopeSpans() {
			s.all = append(s.all, scope.GetSpans()...)
		}
	}
}

// of returns the spans of a trace by name.
func (s *spans) of(trace string) map[string]*tracepb.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]*tracepb.Span{}
	for _, span := range s.all {
		if hex.EncodeToString(span.GetTraceId()) == trace {
			out[span.GetName()] = span
		}
	}
	return out
}

// TestTraces: a message's steps are spans of its caller's trace, with ids and without a text; the collector may be away.
func TestTraces(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	got := &spans{}
	server := httptest.NewServer(got)
	defer server.Close()
	database := storetest.URL(t)
	s := storetest.Open(t, database)
	r := start(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL, "OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_RESOURCE_ATTRIBUTES=deployment=test")
	away := start(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", "OTEL_BSP_SCHEDULE_DELAY=50")
	f := storetest.Seed(t, s, storetest.Options{Instructions: "Words of the owner."})
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	c := client(t)
	for _, chat := range []string{r.Chat, away.Chat} {
		answer, err := ask(t.Context(), c, chat, f.Key.Reveal(), "s", privateText, "Traceparent", "00-"+trace+"-"+parent+"-01")
		if err != nil || answer.Status != http.StatusOK {
			t.Fatalf("%v %d %s", err, answer.Status, answer.Body)
		}
	}
	names := []string{"chat API", "message", "begin", "model", "settle"}
	eventually(t, "all spans arrive", func() bool { return len(got.of(trace)) == len(names) })
	found := got.of(trace)
	for name, within := range map[string]string{"message": "chat API", "begin": "message", "model": "message", "settle": "message"} {
		if found[name] == nil || found[within] == nil || string(found[name].GetParentSpanId()) != string(found[within].GetSpanId()) {
			t.Errorf("%s is not a part of %s", name, within)
		}
	}
	if api := found["chat API"]; hex.EncodeToString(api.GetParentSpanId()) != parent {
		t.Errorf("the caller's span is not the parent: %v", api)
	}
	if text := found["message"].String(); !strings.Contains(text, f.Agent.ID.String()) || !strings.Contains(text, storetest.SandboxModel) {
		t.Errorf("the message's span lacks its agent or model: %s", text)
	}
	if !strings.Contains(got.about, "deployment") || !strings.Contains(got.about, "agentchat") {
		t.Errorf("the resource is %s", got.about)
	}

	// A search is in the query string of a GET, which no log line and no span has.
	const searched = "words-of-a-search"
	search := r.base() + "/graphql?query=" + url.QueryEscape(`{ agents(filter: {search: "`+searched+`"}) { nodes { id } } }`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, search, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-01")
	resp, err := c.Do(req)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Fatalf("a search by GET: %v %v", resp, err)
	}
	eventually(t, "the search is logged", func() bool { return strings.Contains(r.log.String(), resp.Header.Get("X-Request-Id")) })
	if strings.Contains(r.log.String(), searched) {
		t.Errorf("the log holds the search")
	}

	const refused = "5bf92f3577b34da6a3ce929d0e0e4736"
	_, _ = ask(t.Context(), c, r.Chat, "ac_wrong", "s", privateText, "Traceparent", "00-"+refused+"-"+parent+"-01")
	eventually(t, "a refused request's spans arrive", func() bool { return got.of(refused)["chat API"] != nil })
	if text := got.of(refused)["chat API"].String(); !strings.Contains(text, "unauthorized") || !strings.Contains(text, "401") {
		t.Errorf("a refused request's span: %s", text)
	}
	for _, secret := range []string{privateText, f.Key.Reveal(), "Words of the owner", "ac_wrong", searched} {
		if got.mu.Lock(); strings.Contains(got.raw.String(), secret) {
			t.Errorf("a span holds %q", secret)
		}
		got.mu.Unlock()
	}
	eventually(t, "the log says that traces are not sent", func() bool {
		return strings.Contains(away.log.String(), "traces are not sent")
	})
	newStartAttempt(t).mustFail(2, slices.Concat(onURL(database), []string{"OTEL_EXPORTER_OTLP_ENDPOINT=collector:4318"}), nil,
		"OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://127.0.0.1:4318")
}
