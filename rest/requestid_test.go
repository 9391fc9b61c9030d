package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/rest"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	handler := rest.New(rest.Config{Chat: unreached{t}})
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
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, rest.ChatPath, nil)
			if tc.values != nil {
				r.Header["X-Request-Id"] = tc.values
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			got := reply{Response: w.Result(), text: w.Body.String()}.refused(t, http.StatusUnauthorized, "unauthorized").RequestID
			if tc.echoed {
				if got != tc.values[0] {
					t.Errorf("got %q, want the caller's own", got)
				}
				return
			}
			if id, err := uuid.Parse(got); err != nil || id.Version() != 7 {
				t.Errorf("got %q, want a new UUIDv7", got)
			}
		})
	}
}
