package eventstream_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/eventstream"
)

func TestAccepted(t *testing.T) {
	t.Parallel()
	for values, want := range map[string]bool{ // the values of several headers are divided by |
		"text/event-stream":                            true,
		" Text/Event-Stream ; charset=utf-8":           true,
		"application/json, text/event-stream;q=0.5":    true,
		"application/json|text/event-stream":           true,
		"text/event-stream;q=0.001":                    true,
		"text/event-stream;q=much":                     true,
		"text/event-stream;q=0|text/event-stream":      true,
		"text/event-stream;q=0, application/json":      false,
		"text/event-stream; Q=0.000":                   false,
		"text/event-stream;q=0|application/json":       false,
		"":                                             false,
		"*/*":                                          false,
		"text/*":                                       false,
		"text/html":                                    false,
		"text/event-streams":                           false,
		"text/event-stream/x":                          false,
		";;, =, text/event-stream=1":                   false,
		"application/json;for=\"text/event-stream\"":   false,
		"application/json; a=1, */*;q=0.8 | text/html": false,
	} {
		h := http.Header{"Accept": strings.Split(values, "|")}
		if got := eventstream.Accepted(h); got != want {
			t.Errorf("Accept: %s: %t, want %t", values, got, want)
		}
	}
	if eventstream.Accepted(http.Header{"Content-Type": {"text/event-stream"}}) {
		t.Error("without Accept")
	}
}
