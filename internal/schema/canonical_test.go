package schema_test

import (
	"testing"

	"agentchat/internal/schema"
)

// TestCanonical shows that only white space and the order of names change.
func TestCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` { "b" : [ 1.0, 1e2 , 12345678901234567890 ], "a":"\u0041\u0000<>é" } `: `{"a":"\u0041\u0000<>é","b":[1.0,1e2,12345678901234567890]}`,
		`[{"b":{"d":1,"c":2},"a":0}]`: `[{"a":0,"b":{"c":2,"d":1}}]`,
		` null `:                      `null`,
		`{"a":1,"a":1}`:               "",
		`{"a":1} {}`:                  "",
		`{"a":1`:                      "",
		"":                            "",
		`"\ud800"`:                    "",
	} {
		given := []byte(text)
		got, err := schema.Canonical(given)
		if string(got) != want || (err == nil) != (want != "") || string(given) != text {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}
