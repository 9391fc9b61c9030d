package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

func TestCheckJSON(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		types    []string
		codings  []string
		accepted bool
	}{
		{"plain", []string{"application/json"}, nil, true},
		{"charset", []string{"application/json; charset=utf-8"}, nil, true},
		{"charset in capitals", []string{"application/json; charset=UTF-8"}, nil, true},
		{"charset without its hyphen", []string{"application/json;charset=UTF8"}, nil, true},
		{"charset without its hyphen in quotes", []string{`application/json; charset="utf8"`}, nil, true},
		{"US-ASCII", []string{"application/json; charset=us-ascii"}, nil, true},
		{"other case", []string{"Application/JSON"}, nil, true},
		{"empty parameter", []string{"application/json;"}, nil, true},
		{"other parameter", []string{"application/json; version=1"}, nil, true},
		{"identity", []string{"application/json"}, []string{"identity"}, true},
		{"identity in capitals", []string{"application/json"}, []string{"Identity"}, true},
		{"empty coding", []string{"application/json"}, []string{""}, true},

		{"missing", nil, nil, false},
		{"empty", []string{""}, nil, false},
		{"text", []string{"text/plain"}, nil, false},
		{"vendor", []string{"application/vnd.x+json"}, nil, false},
		{"anything", []string{"*/*"}, nil, false},
		{"longer", []string{"application/jsonx"}, nil, false},
		{"latin 1", []string{"application/json; charset=iso-8859-1"}, nil, false},
		{"utf-16", []string{"application/json; charset=utf-16"}, nil, false},
		{"charset twice", []string{"application/json; charset=utf-8; charset=utf-16"}, nil, false},
		{"charset without value", []string{"application/json; charset="}, nil, false},
		{"two headers", []string{"application/json", "application/json"}, nil, false},
		{"two in one", []string{"application/json, text/plain"}, nil, false},
		{"gzip", []string{"application/json"}, []string{"gzip"}, false},
		{"identity and gzip", []string{"application/json"}, []string{"identity, gzip"}, false},
		{"second header", []string{"application/json"}, []string{"identity", "deflate"}, false},
	} {
		header := http.Header{"Content-Type": tc.types, "Content-Encoding": tc.codings}
		err := httpapi.CheckJSON(header)
		if tc.accepted && err != nil || !tc.accepted && !fault.Is(err, "unsupported_media_type") {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		values   []string
		accepted bool
	}{
		{"none", nil, true},
		{"one character", []string{"a"}, true},
		{"all visible ASCII", []string{visibleASCII()}, true},
		{"longest", []string{strings.Repeat("k", 255)}, true},
		{"empty", []string{""}, false},
		{"too long", []string{strings.Repeat("k", 256)}, false},
		{"space inside", []string{"a b"}, false},
		{"tab inside", []string{"a\tb"}, false},
		{"accent", []string{"josé"}, false},
		{"latin 1 byte", []string{"jos\xe9"}, false},
		{"DEL", []string{"a\x7f"}, false},
		{"twice", []string{"a", "b"}, false},
		{"twice the same", []string{"a", "a"}, false},
	} {
		key, err := httpapi.IdempotencyKey(http.Header{"Idempotency-Key": tc.values})
		want := ""
		if tc.accepted {
			want = strings.Join(tc.values, "")
		}
		refused := fault.Is(err, "invalid_idempotency_key")
		if key != want || (err == nil) != tc.accepted || refused == tc.accepted {
			t.Errorf("%s: got %q, %v; want %q", tc.name, key, err, want)
		}
	}
}

func visibleASCII() string {
	var out strings.Builder
	for c := byte(0x21); c <= 0x7e; c++ {
		out.WriteByte(c)
	}
	return out.String()
}

// TestEventsByAccept shows when, by weight, a stream is preferred (the chat API) or at least
// accepted (a subscription, which has no other form).
func TestEventsByAccept(t *testing.T) {
	t.Parallel()
	const preferred, taken, neither = 2, 1, 0
	for values, want := range map[string]int{ // "|" separates the values of several headers
		"text/event-stream":                                                                       preferred,
		" Text/Event-Stream ; charset=utf-8":                                                      preferred,
		"text/event-stream, */*":                                                                  preferred,
		"*/*, text/*, application/*, text/event-stream;q=0.001":                                   preferred,
		"text/html;q=0.5, *; q=.2, text/event-stream":                                             preferred,
		"text/event-stream, application/json;q=0.9":                                               preferred,
		"application/json;q=0.9, text/event-stream":                                               preferred,
		"application/json;q=0.9|text/event-stream;q=0.901":                                        preferred,
		"application/json;q=0, text/event-stream;q=0.1":                                           preferred,
		"text/event-stream;q=much":                                                                preferred,
		"text/event-stream;q=2, application/json;q=0.9":                                           preferred,
		"text/event-stream;q=0|text/event-stream":                                                 preferred,
		"text/event-stream;charset=utf-8;q=0.1, text/event-stream":                                preferred,
		`text/event-stream, application/json;a="b,c\",text/html";q=0.5`:                           preferred,
		",, text/event-stream ,":                                                                  preferred,
		"/, =, text/event-stream":                                                                 preferred,
		"application/json, text/event-stream":                                                     taken,
		"text/event-stream;q=0.5, application/json":                                               taken,
		"text/html, application/xhtml+xml, text/event-stream, */*;q=0.8":                          taken,
		"text/event-stream;q=0.5, text/plain;q=0.50":                                              taken,
		"text/event-stream, application/json;q=2":                                                 taken,
		"application/graphql-response+json, application/json, text/event-stream, multipart/mixed": taken,
		"text/event-stream;q=0, application/json":                                                 neither,
		"text/event-stream; Q=0.000":                                                              neither,
		`text/event-stream;q="0"`:                                                                 neither,
		"text/event-stream;q=0|*/*":                                                               neither,
		"":                                                                                        neither,
		"text/*":                                                                                  neither,
		"text/html":                                                                               neither,
		"text/event-stream/x":                                                                     neither,
		";;, =, text/event-stream=1":                                                              neither,
		"application/json;for=\"text/event-stream\"":                                              neither,
		"application/json;for=\"a, text/event-stream, b\"":                                        neither,
		"application/json; a=1, */*;q=0.8 | text/html":                                            neither,
	} {
		h := http.Header{"Accept": strings.Split(values, "|")}
		if got := httpapi.PrefersEvents(h); got != (want == preferred) {
			t.Errorf("Accept: %s: preferred %t", values, got)
		}
		if got := httpapi.AcceptsEvents(h); got != (want != neither) {
			t.Errorf("Accept: %s: accepted %t", values, got)
		}
	}
	if h := (http.Header{"Content-Type": {"text/event-stream"}}); httpapi.AcceptsEvents(h) ||
		httpapi.PrefersEvents(h) {
		t.Error("without Accept")
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		values []string
		echoed bool
	}{
		{"usual", []string{"req-42"}, true},
		{"one character", []string{"a"}, true},
		{"every character", []string{"ABCXYZabcxyz0189._-"}, true},
		{"longest", []string{strings.Repeat("a", 128)}, true},
		{"none", nil, false},
		{"empty", []string{""}, false},
		{"too long", []string{strings.Repeat("a", 129)}, false},
		{"space", []string{"a b"}, false},
		{"newline", []string{"a\nlevel=error"}, false},
		{"slash", []string{"a/b"}, false},
		{"accent", []string{"é"}, false},
		{"quote", []string{`a"b`}, false},
		{"two", []string{"a", "b"}, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header["X-Request-Id"] = tc.values
		w := httptest.NewRecorder()
		got := httpapi.NewExchange(w, r, slog.New(slog.DiscardHandler)).Access.RequestID
		if header := w.Header().Get("X-Request-Id"); header != got {
			t.Errorf("%s: the header is %q, the record %q", tc.name, header, got)
		}
		id, err := uuid.Parse(got)
		isNew := err == nil && id.Version() == 7
		if isNew == tc.echoed || tc.echoed && got != tc.values[0] {
			t.Errorf("%s: got %q", tc.name, got)
		}
	}
}

func TestBearerToken(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		headers []string
		want    string
	}{
		{[]string{"Bearer abc"}, "abc"}, {[]string{"bEARER   abc"}, "abc"}, {[]string{"Bearer a b"}, "a b"},
		{nil, ""}, {[]string{""}, ""}, {[]string{"Bearer"}, ""}, {[]string{"Bearer\tabc"}, ""}, {[]string{"Basic abc"}, ""},
		{[]string{"abc"}, ""}, {[]string{"Bearer abc", "Bearer abc"}, ""},
	} {
		if got := httpapi.BearerToken(http.Header{"Authorization": tc.headers}); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.headers, got, tc.want)
		}
	}
}

func TestWholeSeconds(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]int{
		time.Millisecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, 90 * time.Second: 90, -time.Second: 1,
	} {
		if got := httpapi.WholeSeconds(wait); got != want {
			t.Errorf("%v is %d, want %d", wait, got, want)
		}
	}
}
