package find_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"agentchat/internal/find"
)

// marked returns an excerpt with [ and ] around its ranges, in the units of JavaScript.
func marked(t *testing.T, e find.Excerpt) string {
	t.Helper()
	units, out, end := utf16.Encode([]rune(e.Text)), "", 0
	for _, r := range e.Ranges {
		if r.Length < 1 || r.Start < end || r.Start+r.Length > len(units) {
			t.Fatalf("ranges %v of %d units", e.Ranges, len(units))
		}
		out += string(utf16.Decode(units[end:r.Start])) + "[" +
			string(utf16.Decode(units[r.Start:r.Start+r.Length])) + "]"
		end = r.Start + r.Length
	}
	return out + string(utf16.Decode(units[end:]))
}

// checkExcerpt checks the rules for every excerpt.
func checkExcerpt(t *testing.T, needle, text string, want bool) {
	t.Helper()
	e, ok := find.New(needle).Excerpt(text)
	if ok != want || ok && len(e.Ranges) == 0 {
		t.Fatalf("%+q in %+q: %v, %+v", needle, text, ok, e)
	}
	units := utf16.Encode([]rune(e.Text))
	for _, r := range e.Ranges {
		if hit := string(utf16.Decode(units[r.Start : r.Start+r.Length])); !find.New(needle).In(hit) {
			t.Fatalf("%+q in %+q: %+q is marked", needle, text, hit)
		}
	}
	if marked(t, e); !utf8.ValidString(e.Text) || strings.ContainsRune(e.Text, utf8.RuneError) {
		t.Fatalf("%+q in %+q: %+q", needle, text, e.Text)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("lorem ipsum ", 40)
	for _, c := range []struct{ what, text, needle, want string }{
		{"short", "Are they free of gluten?", "GLUTEN", "Are they free of [gluten]?"},
		{"all places", "Gluten, gluten-free", "gluten", "[Gluten], [gluten]-free"},
		{"white space", "  free\r\n of\u3000\u3000gluten  ", "free of", "[free of] gluten"},
		{"cut between words", filler + "gluten " + filler, "gluten",
			"…lorem ipsum lorem ipsum lorem ipsum lorem ipsum [gluten] lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem…"},
		{"no words", strings.Repeat("a", 500) + "b" + strings.Repeat("a", 500), "b", "…" + strings.Repeat("a", 50) + "[b]" + strings.Repeat("a", 109) + "…"},
		{"the first of many", "x y" + strings.Repeat(" y", 300), "y", "x" + strings.Repeat(" [y]", 79) + "…"},
		{"beyond the basic plane", "\U0001F600\U0001F600 tea \U0001F600", "tea", "\U0001F600\U0001F600 [tea] \U0001F600"},
		{"half of a letter", "Stra\u00dfe und ss", "s", "[S]tra[\u00df]e und [s][s]"},
		{"decomposed", "a cafe\u0301 a", "caf\u00e9", "a [cafe\u0301] a"},
		{"a letter with its mark", "x\u0302y", "x", "[x\u0302]y"},
		{"a mark alone", "x\u0302y", "\u0302", "[x\u0302]y"},
		{"a variant", "a \u2764\ufe0f a", "\u2764", "a [\u2764\ufe0f] a"},
		{"one of a family", "a " + family + " a", "\U0001F469", "a [" + family + "] a"},
		{"Hangul", "\u1112\u1161\u11ab\u1100\u1173\u11af", "\ud55c", "[\u1112\u1161\u11ab]\u1100\u1173\u11af"},
		{"families around", strings.Repeat(family, 60) + "b" + strings.Repeat(family, 60), "b",
			"…" + strings.Repeat(family, 10) + "[b]" + strings.Repeat(family, 21) + "…"},
		{"half of a flag", "a " + flags, "\U0001F1EA", "a [\U0001F1E9\U0001F1EA]\U0001F1EB\U0001F1F7"},
		{"flags around", strings.Repeat(flags, 60) + "xb" + strings.Repeat(flags, 60), "b",
			"…" + strings.Repeat(flags, 12) + "x[b]" + strings.Repeat(flags, 27) + "…"},
		{"flags out of sight", strings.Repeat(flags, 600) + "\U0001F1E9b", "b", "…" + strings.Repeat(flags, 12) + "\U0001F1E9[b]"},
		{"a flag where the text is cut", "b" + strings.Repeat(" ", 4<<10-5) + flags, "b", "[b]…"},
		{"Hangul around", strings.Repeat(hangul, 60) + "xb" + strings.Repeat(hangul, 60), "b",
			"…" + strings.Repeat(hangul, 16) + "x[b]" + strings.Repeat(hangul, 36) + "…"},
		{"dotted", "\u0130stanbul'da", "istanbul", "[\u0130stanbul]'da"},
		{"a long needle", "a " + strings.Repeat("ab ", 85) + "c", strings.Repeat("ab ", 85), "…[" + strings.Repeat("ab ", 84) + "ab]…"},
	} {
		e, _ := find.New(c.needle).Excerpt(c.text)
		if got := marked(t, e); got != c.want {
			t.Errorf("%s:\n%+q, want\n%+q", c.what, got, c.want)
		}
	}
}

// TestBeginning shows that the beginning of a text cuts no character in two, and is not empty
// unless the text is.
func TestBeginning(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"", ""}, {" a\n b ", "a b"}, {"12345", "12345"}, {"123456", "1234…"}, {"123 56", "123…"}, {"123" + flags, "123…"}, {"12" + flags, "12\U0001F1E9\U0001F1EA…"},
		{"123e\u0301\u0302", "123…"}, {"e" + strings.Repeat("\u0301", 9), "e" + strings.Repeat("\u0301", 3) + "…"},
	} {
		if got := find.Beginning(c[0], 5); got != c[1] {
			t.Errorf("%+q: %+q, want %+q", c[0], got, c[1])
		}
	}
}

// TestHostileExcerpts shows that no text gives a long or torn excerpt.
func TestHostileExcerpts(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for what, c := range map[string][2]string{
		"marks":         {"a" + strings.Repeat("\u0301", n) + "b", "b"},
		"on marks":      {"a" + strings.Repeat("\u0302", n), "\u0302"},
		"unseen within": {"te" + strings.Repeat("\u200b", n) + "a", "tea"},
		"white space":   {"tea" + strings.Repeat(" ", n) + "time", "tea time"},
		"a long line":   {strings.Repeat("x", 10*n) + "tea", "tea"},
		"joiners":       {strings.Repeat("\U0001F468\u200d", n) + "tea", "tea"},
		"flags":         {strings.Repeat("\U0001F1E9", n) + "tea", "\U0001F1E9"},
		"one letter":    {strings.Repeat("a", n), "a"},
	} {
		e, ok := find.New(c[1]).Excerpt(c[0])
		if n := utf8.RuneCountInString(e.Text); !ok || len(e.Ranges) == 0 || n > 1_200 ||
			!utf8.ValidString(e.Text) {
			t.Errorf("%s: %v, %d characters", what, ok, n)
		}
		marked(t, e)
	}
}
