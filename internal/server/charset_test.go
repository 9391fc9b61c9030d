package server_test

import (
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// unambiguous has the media types, other than text, that are UTF-8 by their standard or not text.
var unambiguous = []string{"application/json", "application/yaml", "application/octet-stream", "font/woff2"}

// TestTextsNameTheirCharset checks that every text response declares UTF-8. Without that, some
// clients read text/* as Latin-1 and break lines at the byte 0x85, which is part of many letters.
func TestTextsNameTheirCharset(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	chat := func(body string) answer {
		return raw(t, b.address, b.fill(chatStart+authorized+asJSON+"Connection: close\r\nContent-Length: 36\r\n\r\n"+body))
	}
	answers := map[string]answer{
		"a reply":              chat(`{"message":"Hello", "stream": false}`),
		"a stream":             chat(`{"message":"Hello", "stream": true }`),
		"a refusal":            chat(`{"message":"Hello", "stream": 1    }`),
		"not HTTP":             raw(t, b.address, "what?\r\n\r\n"),
		"an unknown operation": mustDo(t, http.MethodGet, b.ops+"/nothing", nil),
		"OpenMetrics": mustDo(t, http.MethodGet, b.ops+"/metrics", http.Header{
			"Accept": {"application/openmetrics-text;version=1.0.0"}}),
	}
	for _, path := range []string{"/", "/login", "/explorer", "/nothing", "/v1", "/assets/app-1a2b3c.js", "/assets/app-1a2b3c.css",
		"/assets/fonts/a.woff2", "/assets/odd.unknown", "/assets/none", "/openapi.yaml"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			answers[method+" "+path] = mustDo(t, method, b.url+path, http.Header{"Accept": {"text/html"}})
		}
	}
	for _, path := range []string{"/livez", "/readyz", "/metrics"} {
		answers["GET "+path], answers["POST "+path] = mustDo(t, http.MethodGet, b.ops+path, nil), mustDo(t, http.MethodPost, b.ops+path, nil)
	}
	if kind := answers["a stream"].Header.Get("Content-Type"); kind != "text/event-stream; charset=utf-8" {
		t.Errorf("a stream is %q", kind)
	}
	for name, a := range answers {
		kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
		switch {
		case err != nil:
			t.Errorf("%s (%d): %q: %v", name, a.StatusCode, a.Header.Get("Content-Type"), err)
		case params["charset"] == "utf-8":
		case strings.HasPrefix(kind, "text/") || !slices.Contains(unambiguous, kind):
			t.Errorf("%s (%d) is %q", name, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
}
