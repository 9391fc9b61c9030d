package graph_test

import (
	"io"
	"log"
	"net/http/httptest"
	"testing"

	"agentchat/graph"
)

// A panic in a stream that has begun aborts it: what has no end is not taken for a whole one, nor an error's JSON for an event.
func TestAPanicInAStream(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(graph.StreamThatPanics())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err := io.ReadAll(resp.Body); err == nil || string(text) != ":\n\n" {
		t.Errorf("the stream is %q, %v", text, err)
	}
}
