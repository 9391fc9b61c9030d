package e2e_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestTraces: a message's spans reach the collector, with the resource's attributes. Neither they
// nor the log contain a query string. An unreachable collector is logged. TestSpans tests the spans
// themselves.
func TestTraces(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	var sent lockedBuffer
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(&sent, r.Body)
	}))
	defer server.Close()
	database := storetest.URL(t)
	traced := func(endpoint string) *replica {
		return start(t, database, "OTEL_EXPORTER_OTLP_ENDPOINT="+endpoint,
			"OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_RESOURCE_ATTRIBUTES=deployment=test")
	}
	r, unreachable := traced(server.URL), traced("http://127.0.0.1:1")
	f := storetest.Seed(t, storetest.Open(t, database), storetest.Options{})
	const search = "words-of-a-search"
	c := client(t)
	for _, chat := range []string{r.Chat, unreachable.Chat} {
		answer, err := ask(t.Context(), c, chat, f.Key.Reveal(), "s", "hello")
		if outcome := outcomeOf(answer, err); outcome != "200" {
			t.Fatal(outcome)
		}
	}
	query := url.QueryEscape(`{ agents(filter: {search: "` + search + `"}) { nodes { id } } }`)
	resp, err := c.Get(r.base() + "/graphql?query=" + query)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Fatalf("a search by GET: %v %v", resp, err)
	}
	_, _ = ask(t.Context(), c, r.Chat, "ac_wrong", "s", "hello")
	for _, want := range []string{"deployment", "agentchat", f.Agent.ID.String(), "unauthorized"} {
		eventually(t, "a span contains "+want, func() bool {
			return strings.Contains(sent.String(), want)
		})
	}
	eventually(t, "the search is logged", func() bool {
		return strings.Contains(r.log.String(), resp.Header.Get("X-Request-Id"))
	})
	if strings.Contains(sent.String(), search) || strings.Contains(r.log.String(), search) {
		t.Error("a span or the log contains the search")
	}
	eventually(t, "the log says that traces are not sent", func() bool {
		return strings.Contains(unreachable.log.String(), "traces are not sent")
	})
}
