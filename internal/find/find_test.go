package find_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"agentchat/internal/find"
)

const (
	family = "\U0001F468\u200D\U0001F469\u200D\U0001F467"
	flags  = "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7"
	hangul = "\u1112\u1161\u11ab"
	long   = "word "
)

// TestIn shows that texts that look the same match, and that others do not.
func TestIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, text, needle string
		want               bool
	}{
		{"unchanged", "Are the biscuits free of gluten?", "gluten", true},
		{"absent", "Are the biscuits free of nuts?", "gluten", false},
		{"another case", "GLUTEN", "Gluten", true},
		{"composed by decomposed", "caf\u00e9", "cafe\u0301", true},
		{"decomposed by composed", "CAFE\u0301", "caf\u00c9", true},
		{"a letter without its accent", "caf\u00e9", "cafe", false},
		{"a letter without its accent, decomposed", "cafe\u0301", "cafe", false},
		{"marks in another order", "a\u0323\u0307", "a\u0307\u0323", true},
		{"Angstrom", "\u212b", "\u00e5", true},
		{"over a line break", "Tea Time\r\n\t Box 2", "tea time box", true},
		{"over no-break and wide spaces", "Tea\u00a0\u3000Time", "tea time", true},
		{"a line separator", "tea\u2028time", "tea time", true},
		{"spaces in the needle", "tea time", " tea \n time ", true},
		{"no space", "teatime", "tea time", false},
		{"soft hyphen", "Donau\u00addampf", "donaudampf", true},
		{"zero-width space", "tea\u200btime", "teatime", true},
		{"unseen between spaces", "tea \u200b time", "tea time", true},
		{"mark of direction", "\u202eevil\u202c", "evil", true},
		{"sharp s by SS", "Stra\u00dfe", "STRASSE", true},
		{"SS by sharp s", "STRASSE", "stra\u00dfe", true},
		{"capital sharp s", "STRA\u1e9eE", "strasse", true},
		{"final sigma", "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3", "\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2", true},
		{"sigma by final sigma", "\u03c3", "\u03c2", true},
		{"dotted capital", "\u0130STANBUL", "istanbul", true},
		{"by the dotted capital", "istanbul", "\u0130stanbul", true},
		{"dotted capital, decomposed", "I\u0307stanbul", "istanbul", true},
		{"dotless", "\u0131sparta", "ISPARTA", true},
		{"from within the last character of a part on", strings.Repeat("y", 16<<10-1) + "\u1161\u0f73 on", "\u0f73 on", true},
		{"dotted and with an accent", "I\u0307\u0301", "\u00ed", true},
		{"Kelvin", "300 \u212a", "300 k", true},
		{"ligature", "\ufb01nd", "FIND", true},
		{"Hangul", "\uc548\ub155\ud558\uc138\uc694", "\u1112\u1161\u1109\u1166", true},
		{"Hangul, decomposed", "\u110b\u1161\u11ab\u1102\u1167\u11bc", "\uc548\ub155", true},
		{"Hangul without its end", "\uc548", "\uc544", false},
		{"family", "we are " + family, family, true},
		{"heart with and without its variant", "I \u2764\ufe0f tea", "\u2764 tea", true},
		{"Cyrillic", "ПЕЧЕНЬЕ", "печенье", true},
		{"Han", "無麩質餅乾", "麩質", true},
		{"Deseret", "\U00010400", "\U00010428", true},
		{"full width in another case", "\uff34\uff25\uff21", "\uff54\uff45\uff41", true},
		{"full width by half width", "\uff34\uff25\uff21", "tea", false},
		{"percent and underscore", "100% under_score", "0% UNDER_", true},
		{"only percent", "none", "%", false},
		{"nothing", "text", "", false},
		{"white space", "a b", " \n", false},
		{"unseen alone", "a\u200bb", "\u200b", false},
		{"an empty text", "", "a", false},
		{"at the end", strings.Repeat(long, 30_000) + "needle", "NEEDLE", true},
	} {
		if got := find.New(c.needle).In(c.text); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		excerpt, ok := find.New(c.needle).Excerpt(c.text)
		if ok != c.want || ok && len(excerpt.Ranges) == 0 {
			t.Errorf("%s: %v, %+v", c.what, ok, excerpt)
		}
	}
	if find.Needle.In(find.Needle{}, "a") {
		t.Error("the zero needle matches")
	}
}

// slowKey is a simple implementation of the form that find compares. It transforms the whole text
// at once.
func slowKey(text string) string {
	text = cases.Fold().String(norm.NFC.String(text))
	text = norm.NFC.String(strings.ReplaceAll(strings.ReplaceAll(text, "i\u0307", "i"), "\u0131", "i"))
	text = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) && !unicode.Is(unicode.Prepended_Concatenation_Mark, c) ||
			unicode.Is(unicode.Variation_Selector, c) {
			return -1
		}
		return c
	}, text)
	var out strings.Builder
	inSpace := false
	for _, c := range text {
		if space := unicode.IsSpace(c); !space {
			out.WriteRune(c)
			inSpace = false
		} else if !inSpace {
			out.WriteByte(' ')
			inSpace = true
		}
	}
	return out.String()
}

// pieces are the parts of random texts: they combine, fold, or vanish next to each other.
var pieces = []string{"a", "A", "e", "E", "i", "I", "s", "S", "ss", "z", "7", "%", " ", "  ", "\n",
	"\u00a0", "\u3000", "\u2028", "\u0301", "\u0307", "\u0323",
	"\u0345", "\u00e9", "\u0130", "\u0131", "\u00df", "\u1e9e", "\u03c3", "\u03c2", "\u03a3", "\u0390", "\u1fd3", "\u1fb3", "\u1fbc", "\u212a", "\u212b",
	"\ufb01", "\u0149", "\u01f0", "\u1e96", "\u1100", "\u1161", "\u11a8", "\uac00", "\uac01", "\u200b", "\u200d", "\u00ad", "\u202e", "\ufe0f", "\u2764",
	"\U0001F468", "\U0001F3FD", "\U0001F1E9", "\U0001F1EA", "\u0915", "\u093f", "\u094d", "\u0958", "\u0ddd", "\u0dcf", "\U00010400", "\U0001d15e",
	"ж", "Ж", "餅", "\uf900", "\u0344", "\u0f73", "\u06dd"}

func randomText(random *rand.Rand, most int) string {
	var out strings.Builder
	for range random.IntN(most) {
		out.WriteString(pieces[random.IntN(len(pieces))])
	}
	return out.String()
}

// TestInAgainstTheSlowWay shows that every text is compared as if it had been composed and folded
// as a whole.
func TestInAgainstTheSlowWay(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	found := 0
	for n := range 5_000 {
		text, needle := randomText(random, 20), randomText(random, 4)
		if random.IntN(2) == 0 { // a part of the text in another form
			runes := []rune(text)
			from := random.IntN(len(runes) + 1)
			needle = string(runes[from : from+random.IntN(len(runes)-from+1)])
			needle = []func(string) string{norm.NFD.String, norm.NFC.String, strings.ToUpper,
				strings.ToLower, strings.ToTitle}[random.IntN(5)](needle)
		}
		if n%25 == 0 { // across the end of a part that is compared at once
			text = strings.Repeat("y", (1+random.IntN(2))<<14-random.IntN(50)) + text
		}
		key := strings.Trim(slowKey(needle), " ")
		want := key != "" && strings.Contains(slowKey(text), key)
		if got := find.New(needle).In(text); got != want {
			t.Fatalf("%+q in %+q: %v, want %v", needle, text, got, want)
		}
		if want {
			found++
		}
		checkExcerpt(t, needle, text, want)
	}
	if found < 200 {
		t.Errorf("only %d were found", found)
	}
}

// TestEveryCharacter shows that each character of Unicode has the same key as in the simple
// implementation.
func TestEveryCharacter(t *testing.T) {
	t.Parallel()
	for c := rune(1); c <= unicode.MaxRune; c++ {
		if !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf) ||
			unicode.In(c, unicode.Han, unicode.Hangul) && c%16 > 0 {
			continue
		}
		text := "x" + string(c) + "y"
		if got, want := find.New(text).Key(), slowKey(text); got != want {
			t.Errorf("%U: %+q, want %+q", c, got, want)
		}
	}
}
