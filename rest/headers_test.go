package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/rest"
)

func TestMediaType(t *testing.T) {
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
		{"charset in quotes", []string{`application/json;charset="utf-8"`}, nil, true},
		{"other case", []string{"Application/JSON"}, nil, true},
		{"empty parameter", []string{"application/json;"}, nil, true},
		{"other parameter", []string{"application/json; version=1"}, nil, true},
		{"identity", []string{"application/json"}, []string{"identity"}, true},
		{"identity in capitals", []string{"application/json"}, []string{"Identity"}, true},
		{"empty coding", []string{"application/json"}, []string{""}, true},

		{"missing", nil, nil, false},
		{"empty", []string{""}, nil, false},
		{"text", []string{"text/plain"}, nil, false},
		{"form", []string{"application/x-www-form-urlencoded"}, nil, false},
		{"multipart", []string{"multipart/form-data; boundary=x"}, nil, false},
		{"xml", []string{"application/xml"}, nil, false},
		{"vendor", []string{"application/vnd.x+json"}, nil, false},
		{"text/json", []string{"text/json"}, nil, false},
		{"longer", []string{"application/jsonx"}, nil, false},
		{"latin 1", []string{"application/json; charset=iso-8859-1"}, nil, false},
		{"utf-16", []string{"application/json; charset=utf-16"}, nil, false},
		{"charset twice", []string{"application/json; charset=utf-8; charset=utf-16"}, nil, false},
		{"charset without value", []string{"application/json; charset="}, nil, false},
		{"two headers", []string{"application/json", "application/json"}, nil, false},
		{"two in one", []string{"application/json, text/plain"}, nil, false},
		{"gzip", []string{"application/json"}, []string{"gzip"}, false},
		{"br", []string{"application/json"}, []string{"br"}, false},
		{"identity and gzip", []string{"application/json"}, []string{"identity, gzip"}, false},
		{"second header", []string{"application/json"}, []string{"identity", "deflate"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if tc.types != nil {
				header["Content-Type"] = tc.types
			}
			if tc.codings != nil {
				header["Content-Encoding"] = tc.codings
			}
			err := rest.CheckMediaType(header)
			if tc.accepted && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !tc.accepted && !fault.Is(err, "unsupported_media_type") {
				t.Errorf("got %v, want unsupported_media_type", err)
			}
		})
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
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if tc.values != nil {
				header["Idempotency-Key"] = tc.values
			}
			key, err := rest.IdempotencyKey(header)
			if !tc.accepted {
				if !fault.Is(err, "invalid_idempotency_key") || key != "" {
					t.Errorf("got %q, %v; want invalid_idempotency_key", key, err)
				}
				return
			}
			if want := strings.Join(tc.values, ""); err != nil || key != want {
				t.Errorf("got %q, %v; want %q", key, err, want)
			}
		})
	}
}

func visibleASCII() string {
	var out strings.Builder
	for c := byte(0x21); c <= 0x7e; c++ {
		out.WriteByte(c)
	}
	return out.String()
}
