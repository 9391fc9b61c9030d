package upstream_test

import (
	"net/http"
	"testing"
	"time"

	"agentchat/internal/llm/upstream"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a " + testKey + " b": "a REDACTED b",
		`Post "https://h/x?key=sk-test%2Bsecret%2F0123456789abcdef&alt=json": EOF`: `Post "https://h/x?key=REDACTED&alt=json": EOF`,
		"?alt=json&Key=other": "?alt=json&Key=REDACTED",
		"nothing here":        "nothing here",
	} {
		if got := upstream.Redact(testKey, text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := upstream.Redact("", "no key"); got != "no key" {
		t.Errorf("without a key: %q", got)
	}
}

func TestRetryAfterHeader(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "5": 5 * time.Second, "3600": time.Hour, "3601": 0, "-5": 0, "1.5": 0, "soon": 0, "99999999999999999999": 0,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat):       0,
	} {
		if got := upstream.RetryAfter(value, now); got != want {
			t.Errorf("Retry-After %q: %v, want %v", value, got, want)
		}
	}
}
