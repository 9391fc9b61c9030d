package knowledge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/knowledge"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " \n\t": "", "?!…": "", "😀": "",
		"The Owner's RETURNS":                      "the owner s owners returns",
		"Wie lange kann ich zurückgeben?":          "wie lange kann ich zuruckgeben",
		"Straße, STRASSE":                          "strasse strasse",
		"İstanbul ISPARTA ısı":                     "istanbul isparta isi",
		"Ça m’a coûté l'abonnement":                "ca m a ma coute l abonnement labonnement",
		"e-mail Wi\u2011Fi well\u00adknown":        "e mail email wi fi wifi wellknown",
		"node.js snake_case AT&T and/or":           "node js node.js nodejs snake case snake_case snakecase at t at&t att and or",
		"A-1 v1.2.3 3.5 AB1234 12:30 24/7":         "a 1 a-1 a1 v 1.2.3 v1.2.3 3.5 =3.5 ab 1234 ab1234 12 30 12:30 24 7 24/7",
		"§ 4.2, §§823 BGB; § 4a; § x":              "4.2 =4.2 §4.2 823 §823 bgb 4 a 4a §4a x",
		"1,000 1.000.000 2,5 1.2":                  "1,000 1000 1.000.000 1000000 2,5 =2.5 1.2 =1.2",
		"ﬁne ＡＢＣ ① m²":                             "fine abc 1 m 2 m2",
		"Ελληνικός ΛΌΓΟΣ":                          "ελληνικοσ λογοσ",
		"Ёлка, Чайка":                              "елка чаика",
		"كِتَابٌ إلى ٢٠٢٤ كـــتاب":                 "كتاب الى 2024 كتاب",
		"שָׁלוֹם עולם":                             "שלום עולם",
		"می\u200cخواهم ۱۲":                         "میخواهم 12",
		"हिन्दी में १२३":                           "हिन्दी में 123",
		"退货政策":                                     "退货 货政 政策",
		"犬":                                        "犬",
		"返品の方法は？":                                  "返品 品の の方 方法 法は",
		"スーパー ｽｰﾊﾟｰ":                               "スー ーパ パー スー ーパ パー",
		"か\u3099く":                                 "がく",
		"3年保証A":                                    "3 年保 保证 a",
		"환불은 어떻게":                                  "환불 불은 어떻 떻게",
		"\u1112\u116a\u11ab\u1107\u116e\u11af 韓國어": "환불 韩国 어",
		"ที่ไหน":                                   "ที่ไ ไห หน",
		"ສະບາຍ":                                    "ສະ ະບ ບາ າຍ",
		"កម្ពុជា":                                  "កម្ ម្ពុ ពុជា",
		"မြန်မာ":                                   "မြန် န်မ မာ",
		"a\u0301\u0302b \u0301":                    "ab",
		"\xff\xfea\xed\xa0\x80b":                   "a b",
		"\u200b\u202eabc\u202c":                    "abc",
		"end.Next x":                               "end next end.next endnext x",
		"a--b 'c' -5 .5":                           "a b c 5 5",
	} {
		if got := strings.Join(knowledge.Terms(text), " "); got != want {
			t.Errorf("%+q:\n%q, want\n%q", text, got, want)
		}
	}
}

// TestQuestionsFindPassages shows that a term of a question is also a term of a passage that
// contains it in another form.
func TestQuestionsFindPassages(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"Wie lange kann ich zuruckgeben", "Sie können Ware 30 Tage lang zurückgeben.", "zuruckgeben"},
		{"devolucion", "La política de DEVOLUCIÓN", "devolucion"},
		{"email", "Your E-Mail", "email"},
		{"abonnement", "l’abonnement", "abonnement"},
		{"ab1234", "AB-1234", "ab"},
		{"1000 Euro", "1.000 €", "1000"},
		{"§4.2", "siehe § 4.2", "§4.2"},
		{"환불 기간", "환불은 30일", "환불"},
		{"退货", "我们的退货政策", "退货"},
		{"don't", "dont", "dont"},
	} {
		if !slices.Contains(knowledge.QuestionTerms(c[0]), c[2]) ||
			!slices.Contains(knowledge.Terms(c[1]), c[2]) {
			t.Errorf("%q is not in %q and %q", c[2], knowledge.QuestionTerms(c[0]), knowledge.Terms(c[1]))
		}
	}
}

// TestSpellings shows that all spellings of a word or number have one term, and that others do not.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for term, c := range map[string]struct{ same, others string }{
		"lodz":      {same: "Łódź|LODZ|łodz"},
		"soren":     {same: "Søren|SØREN|soren"},
		"oeuvre":    {same: "Œuvre|oeuvre"},
		"thordur":   {same: "Þórður|thordur"},
		"ꮳꮃꭹ":       {same: "ᏣᎳᎩ|ꮳꮃꭹ"},
		"台湾":        {same: "臺灣|台湾|台灣"},
		"ﷺ":         {same: "ﷺ"}, // 18 characters
		"wifi":      {same: "Wi-Fi|WiFi|wi\u2013fi|wi\u2011fi", others: "Wi Fi|wi—fi"},
		"nodejs":    {same: "Node.js|nodejs|NODE-JS"},
		"iso9001":   {same: "ISO-9001|iso9001|ISO.9001"},
		"lete":      {same: "l'été|l’ete|l´été|l`été|lete"},
		"colleccio": {same: "col·lecció|coŀlecció|col-lecció", others: "col lecció"},
		"חול":       {same: `חו"ל|חו״ל|חול`, others: `חו" ל`},
		"1000": {
			same:   "1,000|1.000|1'000|1’000|1 000|1\u202f000|1,000.00|1.000,-|١٬٠٠٠|USD1,000|1000kg",
			others: "1,0,0,0|1.0.0.0|0.001|v1.000|1 0000|1 000 0|2 1 000|1,000,00,0|1'00'0|10-00",
		},
		"1234567": {
			same:   "1,234,567|1.234.567|12,34,567|1.234.567,00|1 234 567,0",
			others: "1,2,34567|123.45.67",
		},
		"=2.5":         {same: "2.5|2,50|2,5kg|2\u066b5", others: "25|v2.5|2.5.0|2,5,0"},
		"=0.125":       {same: "0.125|0,1250", others: "125"},
		"=1234.5":      {same: "1,234.5|1 234,50|1.234,5", others: "1.234.5|1 234 5"},
		"192168100200": {same: "192,168,100,200", others: "192.168.100.200"},
	} {
		for _, text := range strings.Split(c.same, "|") {
			if got := knowledge.Terms(text); !slices.Contains(got, term) {
				t.Errorf("%q has the terms %q, not %q", text, got, term)
			}
		}
		for _, text := range strings.Split(c.others, "|") {
			if got := knowledge.Terms(text); slices.Contains(got, term) {
				t.Errorf("%q has the terms %q", text, got)
			}
		}
	}
}

func TestQuestionTermsAreFewAndDifferent(t *testing.T) {
	t.Parallel()
	if got := knowledge.QuestionTerms("a b a c B"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
	var text strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&text, "%d ", i)
	}
	got := knowledge.QuestionTerms(text.String())
	if len(got) != knowledge.MaxQuestionTerms || got[0] != "0" || got[99] != "99" ||
		got[100] != "900" || got[199] != "999" {
		t.Errorf("%d terms: %q", len(got), got)
	}
}

// plenty is the size of a hostile text, in bytes: enough for square time to take minutes.
const plenty = 1 << 18

// hostile are texts that take long in a bad implementation.
var hostile = map[string]string{
	"no space":       strings.Repeat("a", plenty),
	"marks":          "a" + strings.Repeat("\u0301", plenty/2),
	"vowel signs":    "\u0915" + strings.Repeat("\u093f", plenty/3),
	"voiced kana":    "か" + strings.Repeat("\u3099", plenty/3),
	"joiners":        strings.Repeat("a-", plenty/2),
	"points":         strings.Repeat("1.", plenty/2),
	"ends":           strings.Repeat("a. )", plenty/4),
	"closers":        "a." + strings.Repeat(")", plenty),
	"digits":         strings.Repeat("a. 1111", plenty/7),
	"unseen":         strings.Repeat("\u200d", plenty/3),
	"flags":          strings.Repeat("\U0001F1E9", plenty/4),
	"families":       strings.Repeat("\U0001F468\u200d", plenty/7),
	"Han":            strings.Repeat("漢", plenty/3),
	"conjuncts":      strings.Repeat("\u0915\u094d", plenty/6),
	"jamo":           strings.Repeat("\u1112", plenty/3),
	"ligatures":      strings.Repeat("\ufdfa", plenty/3),
	"invalid":        strings.Repeat("\xed\xa0\x80", plenty/3),
	"spaces":         "a" + strings.Repeat(" ", plenty) + "b",
	"blank lines":    strings.Repeat("\n", plenty),
	"headings":       strings.Repeat("# a\n\n", plenty/5),
	"deep headings":  strings.Repeat("###### a\n# b\n", plenty/13),
	"underlines":     strings.Repeat("a\n---\n", plenty/6),
	"fences":         strings.Repeat("```\n~~~~\n", plenty/9),
	"pages":          strings.Repeat("a\f", plenty/2),
	"tables":         strings.Repeat("|a|\n|-|\n", plenty/8),
	"delimiters":     "|a|\n" + strings.Repeat("|-|\n", plenty/4),
	"a long table":   "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", plenty/6),
	"a wide head":    "|" + strings.Repeat("a|", 5<<10) + "\n|" + strings.Repeat("-|", 5<<10) + "\n" + strings.Repeat("|c|d|\n", plenty/6),
	"right to left":  strings.Repeat("שלום \u202eעולם\u202c. ", plenty/30),
	"surrogate pair": strings.Repeat("\xed\xa0\xbd\xed\xb8\x80", plenty/6),
}

// within fails the test if do does not run in linear time: 30 seconds are about a hundred times as long.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	start := time.Now()
	if do(); time.Since(start) > 30*time.Second {
		t.Errorf("%s took %v", what, time.Since(start))
	}
}

func TestHostileTexts(t *testing.T) {
	t.Parallel()
	for what, text := range hostile {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			within(t, "terms", func() { checkTerms(t, text) })
			within(t, "passages", func() { checkPassages(t, text, false) })
			within(t, "pages", func() { checkPassages(t, text, true) })
			within(t, "a sentence", func() {
				if got := knowledge.FirstSentence(text); utf8.RuneCountInString(got) > 300 {
					t.Errorf("a sentence of %d bytes", len(got))
				}
			})
		})
	}
	if got := knowledge.Terms(strings.Repeat("é", 100)); len(got) != 1 || len(got[0]) != 64 {
		t.Errorf("a long word: %q", got)
	}
}

// checkTerms checks the rules for the terms of every text.
func checkTerms(t *testing.T, text string) {
	t.Helper()
	terms := knowledge.Terms(text)
	if len(terms) > knowledge.MaxTerms {
		t.Fatalf("%d terms", len(terms))
	}
	for _, term := range terms {
		if term == "" || len(term) > 64 || !utf8.ValidString(term) ||
			strings.ContainsFunc(term, func(c rune) bool {
				return unicode.IsSpace(c) || unicode.IsControl(c)
			}) {
			t.Fatalf("the term %+q", term)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, text := range hostile {
		f.Add(text[:min(len(text), 200)])
	}
	f.Add("§ 4.2 A-1 e-mail 1,000 漢字 환불 ที่")
	f.Fuzz(func(t *testing.T, text string) {
		checkTerms(t, text)
		if len(text) < 1_000 &&
			!slices.Equal(knowledge.Terms(text), knowledge.Terms(strings.ToValidUTF8(text, "\uFFFD"))) {
			t.Fatalf("%+q: invalid bytes are more than a gap", text)
		}
	})
}
