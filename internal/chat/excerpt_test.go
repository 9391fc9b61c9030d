package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentchat/internal/llm"
	"agentchat/internal/schema"
)

const excerptSchema = `{"type":"object","properties":{"lines":{"type":"array","items":{"type":"object",
	"properties":{"count":{"type":"integer"},"note":{"maxLength":5}}}}}}`

// TestExcerpts: of a long reply, or of a call's long arguments, at most 500 code points are kept,
// with what broke the rule.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	check, err := schema.Parse(excerptSchema)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"note":"é😀"},`
	long := strings.Repeat(line, 22_500/utf8.RuneCountInString(line))
	rest := long[:len(long)-1]
	wrong, nested := `{"count":"wrong"}`, strings.Repeat("[", 65)+strings.Repeat("]", 65)
	cases := map[string]struct{ reply, kept string }{
		"broken at its end":  {`{"lines":[` + long + `{"note":"lost`, `{"note":"lost`},
		"a value":            {`{"lines":[` + long + wrong + `,` + rest + `]}`, wrong},
		"a value in a fence": {"```json\n" + `{"lines":[` + long + wrong + `,` + rest + "]}\n```", wrong},
		"a long value": {`{"lines":[` + long + `{"note":"` + strings.Repeat("no", 1000) + `"}]}`,
			`{"note":"nono`},
		"a name twice":        {`{"lines":[` + long + `{"id":1,"id":2},` + rest + `]}`, `"id":2`},
		"too deep":            {`{"lines":[` + long + nested + `]}`, strings.Repeat("[", 63)},
		"prose":               {"I am sorry: " + strings.Repeat("no ", 7500), "I am sorry: no no"},
		"more after the JSON": {`{"lines":[` + rest + `]} Done. {} ` + strings.Repeat("Bye. ", 1000), "]} Done. {} Bye."},
		"cut":                 {`{"lines":[` + long + `{"note":"the end`, `{"note":"the end`},
		"cut in a character":  {`{"lines":[` + long + "the end\xf0\x9f", `the end`},
	}
	for name, tc := range cases {
		for _, as := range []string{"a reply", "arguments"} {
			of := turn{}
			_, err := check.Check(tc.reply)
			switch violation, _ := err.(*schema.Violation); { //nolint:errorlint // Check returns no other
			case violation == nil:
				t.Fatalf("%s: it fits", name)
			case as == "arguments":
				text, begins := callsText("Look.", []llm.Call{{Name: "wait", Arguments: "{}"},
					{Name: "order", Arguments: tc.reply}, {Name: "wait", Arguments: long}})
				start, end := (&callViolation{Violation: violation, call: 1, action: "order"}).span(begins)
				_ = of.reject(text, start, end, err)
			case strings.HasPrefix(name, "cut"):
				_ = of.tooLong(tc.reply)
			default:
				_ = of.reject(tc.reply, violation.Start, violation.End, err)
			}
			got := of.rejected.excerpt
			n := utf8.RuneCountInString(got)
			if n > maxExcerpt || n < maxExcerpt-2 || clean(got) != got || !strings.Contains(got, tc.kept) ||
				!strings.Contains(got, ellipsis) {
				t.Errorf("%s as %s: %d code points: %s", name, as, n, got)
			}
		}
	}
}

// TestExcerptsOfAnything: for any text and any place in it, the excerpt is valid text of at most
// 500 code points.
func TestExcerptsOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"a", "é", "😀", "\x00", "\xff", "\xe2\x82", "\u202e", strings.Repeat("b😀", 300)}
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "text"), "")
		start := rapid.IntRange(0, len(text)).Draw(t, "start")
		end := rapid.IntRange(start, len(text)).Draw(t, "end")
		got := excerpt(text, start, end)
		if utf8.RuneCountInString(got) > maxExcerpt || clean(got) != got {
			t.Fatalf("%q", got)
		}
		if clean(text) == text && utf8.RuneCountInString(text) <= maxExcerpt && got != text {
			t.Fatalf("%q of a text that is short enough", got)
		}
	})
}
