package knowledge_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/internal/knowledge"
)

// long returns a text of about n characters, in sentences of 40.
func long(n int) string {
	return strings.TrimSpace(strings.Repeat("This is a sentence with forty letters.. ", n/40))
}

func TestPassages(t *testing.T) {
	t.Parallel()
	type p = knowledge.Passage
	for name, c := range map[string]struct {
		text  string
		paged bool
		want  []p
	}{
		"nothing": {text: " \n\f\n\t"},
		"short":   {text: " a\r\n\r\n\r\n\r\nb \n", want: []p{{Text: "a\n\nb"}}},
		"sections under one heading": {
			text: "# Returns\nIn short.\n## Time limits ##\n30 days.\n\n## Costs\nNone.",
			want: []p{{Heading: "Returns > Time limits · Costs", Text: "In short.\n\n## Time limits\n\n30 days.\n\n## Costs\n\nNone."}},
		},
		"a long section and its neighbours": {
			text: "# Returns\n## Time limits\n" + long(1_200) + "\n## Costs\nNone.\n",
			want: []p{{Heading: "Returns > Time limits", Text: long(1_200)}, {Heading: "Returns > Costs", Text: "None."}},
		},
		"sections under different headings": {
			text: "# A\n## A1\na\n# B\n## B1\nb\n### B2\nc",
			want: []p{{Heading: "A · B", Text: "# A\n\n## A1\n\na\n\n# B\n\n## B1\n\nb\n\n### B2\n\nc"}},
		},
		"a heading over one": {text: "# A\n## A1\na\n### A2\nb", want: []p{{Heading: "A > A1 · A2", Text: "a\n\n### A2\n\nb"}}},
		"enough under one heading": {
			text: "# A\n" + long(800) + "\n## A1\n" + long(400) + "\n# B\nb",
			want: []p{{
				Heading: "A · A1",
				Text:    long(800) + "\n\n## A1\n\n" + long(400),
			}, {Heading: "B", Text: "b"}},
		},
		"no neighbour under the same heading": {
			text: "# A\n" + long(1_200) + "\n## A1\na\n# B\nb",
			want: []p{{Heading: "A", Text: long(1_200)}, {Heading: "A > A1", Text: "a"}, {Heading: "B", Text: "b"}},
		},
		"underlined": {
			text: "Returns\n=======\nIn short.\n\nCosts\n-----\nNone.\n\n- a list\n---\ntwo\nlines\n---\n| a |\n---",
			want: []p{{Heading: "Returns · Costs", Text: "In short.\n\n## Costs\n\nNone.\n\n- a list\n---\ntwo\nlines\n---\n| a |\n---"}},
		},
		"no headings": {
			text: "#tag\n#\n####### seven\n# ##\n    # code\n# " + strings.Repeat("x", 201),
			want: []p{{Text: "#tag\n#\n####### seven\n# ##\n    # code\n# " + strings.Repeat("x", 201)}},
		},
		"code": {
			text: "````sh\n```\n# a comment\n```\n````\n# A\n~~~\n# b\n```\n# c\n",
			want: []p{{Heading: "A", Text: "````sh\n```\n# a comment\n```\n````\n\n# A\n\n~~~\n# b\n```\n# c"}},
		},
		"code within a line": {text: "```a```\n# A\nb", want: []p{{Heading: "A", Text: "```a```\n\n# A\n\nb"}}},
		"headings alone":     {text: "# A\n# B\n## C", want: []p{{Heading: "A · B", Text: "# A\n\n# B\n\n## C"}}},
		"one heading alone":  {text: "# A", want: []p{{Heading: "A", Text: "# A"}}},
		"the same heading":   {text: "# A\n# A\na\n# A\nb", want: []p{{Heading: "A", Text: "# A\n\na\n\n# A\n\nb"}}},
		"pages": {
			text: "# A\none\ftwo\n\n## B\nb\f\fthree\n\f", paged: true,
			want: []p{{Heading: "A", Page: 1, Text: "one"}, {Heading: "A · B", Page: 2, Text: "two\n\n## B\n\nb"}, {Heading: "A > B", Page: 4, Text: "three"}},
		},
		"no pages":  {text: "one\ftwo", want: []p{{Text: "one\ntwo"}}},
		"one page":  {text: "one", paged: true, want: []p{{Page: 1, Text: "one"}}},
		"garbage":   {text: "\ufeffa\xff\x00b\u0085c", want: []p{{Text: "a\ufffd b\nc"}}},
		"a rule":    {text: "a\n\n---\n\nb", want: []p{{Text: "a\n\n---\n\nb"}}},
		"front":     {text: "---\ntitle: a\n---\n# B\nb", want: []p{{Heading: "B", Text: "---\ntitle: a\n---\n\n# B\n\nb"}}},
		"two pages": {text: "# A\fb", paged: true, want: []p{{Heading: "A", Page: 1, Text: "# A"}, {Heading: "A", Page: 2, Text: "b"}}},
	} {
		var got []p
		for _, g := range knowledge.Passages(c.text, c.paged) {
			got = append(got, p{Heading: g.Heading, Page: g.Page, Text: g.Text})
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, c.want)
		}
	}
}

func TestLongSectionsAreCut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		first string // the first passage's end
		count int
	}{
		"between paragraphs":      {long(800) + "\n\n" + long(600) + "end\n\n" + long(900), "end", 2},
		"between sentences":       {strings.Repeat("A few words and an end. And more, e.g. this ", 100), " an end.", 3},
		"behind a closing mark":   {strings.Repeat("“A few words (or more.)” ", 100), ".)”", 2},
		"between Chinese ones":    {strings.Repeat("您可以在三十天内退回所购商品。", 200), "。", 2},
		"between words":           {strings.Repeat("word ", 1_000), "word", 3},
		"between lines":           {strings.Repeat("a line of words\n", 300), "words", 3},
		"between characters":      {strings.Repeat("e\u0301", 2_000), "e\u0301", 3},
		"anywhere":                {"e" + strings.Repeat("\u0301", 5_000), "\u0301", 3},
		"not at a number's point": {strings.Repeat("3.5", 1_000), "", 2},
		"with a rest":             {strings.Repeat("word ", 405), "word", 2},
	} {
		got := knowledge.Passages("# H\n"+c.text, false)
		if len(got) != c.count || !strings.HasSuffix(got[0].Text, c.first) {
			t.Errorf("%s: %d passages, the first ends with %+q", name, len(got),
				got[0].Text[max(0, len(got[0].Text)-30):])
		}
		for i, p := range got {
			if n := utf8.RuneCountInString(p.Text); n > knowledge.MaxPassage || n < 400 || p.Heading != "H" {
				t.Errorf("%s: passage %d of %q has %d characters", name, i, p.Heading, n)
			}
		}
	}
}

func TestTablesKeepTheirHead(t *testing.T) {
	t.Parallel()
	rows := func(from, to int) (out string) {
		for i := range to - from {
			out += fmt.Sprintf("| %04d | a price |\n", from+i)
		}
		return out
	}
	const head = "| item | price |\n|---|--:|\n"
	got := knowledge.Passages("# Prices\nAs of today:\n\n"+head+rows(0, 300)+"\nThat is all.\n", false)
	next := 0
	for i, p := range got {
		text := strings.TrimPrefix(p.Text, "As of today:\n\n")
		if !strings.HasPrefix(text, head) || p.Heading != "Prices" || strings.Count(text, "item") != 1 {
			t.Errorf("passage %d: %q", i, p.Text)
		}
		count := strings.Count(text, "a price")
		if !strings.Contains(text+"\n", rows(next, next+count)) {
			t.Errorf("passage %d does not contain the next %d rows: %q", i, count, p.Text)
		}
		next += count
	}
	if next != 300 || len(got) != 3 || !strings.HasSuffix(got[2].Text, "That is all.") {
		t.Errorf("%d rows in %d passages", next, len(got))
	}
	plain := knowledge.Passages("item | price\n--- | ---\n"+strings.Repeat("a | 1\n", 500)+"\n"+
		long(1_000), false)
	if !strings.HasPrefix(plain[1].Text, "item | price\n--- | ---\na | 1\n") ||
		strings.Contains(plain[len(plain)-1].Text, "item") {
		t.Errorf("without pipes around: %+v", plain)
	}
	wide := strings.Repeat("| a name of a column ", 500) + "|\n" + strings.Repeat("|---", 500) + "|\n"
	if parts := knowledge.Passages(wide+rows(0, 300), false); len(parts) > 15 {
		t.Errorf("a head of 10 KB makes %d passages", len(parts))
	}
	between := knowledge.Passages(strings.Repeat("x", 1_400)+"\n| a | b |\n|---|---|\n| "+
		strings.Repeat("y", 3_000)+" | z |\n", false)
	for _, p := range between[1:] {
		if !strings.HasPrefix(p.Text, "| a | b |\n|---|---|\n") {
			t.Errorf("cut near the head: %q", p.Text)
		}
	}
}

func TestHeadingsAndEveryQuestionFind(t *testing.T) {
	t.Parallel()
	p := knowledge.Passages("# Refunds\n"+long(400), false)[0]
	if p.Terms()[0] != "refunds" {
		t.Errorf("%q", p.Terms())
	}
	var list strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "## Item %d\nNo.\n", i)
	}
	p = knowledge.Passages("# Prices\n"+list.String(), false)[0]
	if n := utf8.RuneCountInString(p.Heading); !strings.HasPrefix(p.Heading, "Prices > Item 0 · Item 1 · ") ||
		!strings.HasSuffix(p.Heading, " · Item 19 +39") || n > 200 {
		t.Errorf("%q has %d characters", p.Heading, n)
	}
	if terms := p.Terms(); strings.Join(terms[:5], " ") != "prices item 0 no item" {
		t.Errorf("titles count twice: %q", terms)
	}
	p = knowledge.AnswerPassage([]string{" How long? ", "Until when?"}, " 30 days.\n")
	if want := (knowledge.Passage{Text: "How long?\nUntil when?\n\n30 days."}); p != want {
		t.Errorf("%+v", p)
	}
}

// checkPassages checks the rules for the passages of every text.
func checkPassages(t *testing.T, text string, paged bool) {
	t.Helper()
	var out strings.Builder
	passages, page := knowledge.Passages(text, paged), 0
	for _, p := range passages {
		if n := compared(p.Text); n > knowledge.MaxPassage || strings.TrimSpace(p.Text) == "" ||
			!utf8.ValidString(p.Text) {
			t.Fatalf("a passage of %d characters: %+q", n, p.Text)
		}
		if n := utf8.RuneCountInString(p.Heading); n > 6*210 || p.Page < page || paged != (p.Page > 0) {
			t.Fatalf("a heading of %d characters on page %d after %d", n, p.Page, page)
		}
		page = p.Page
		out.WriteString(p.Heading + " " + p.Text + " ")
	}
	if n := max(utf8.RuneCountInString(text), compared(text)); len(passages) > n/200+strings.Count(text, "\f")+3 {
		t.Fatalf("%d characters make %d passages", n, len(passages))
	}
	rest := letters(out.String())
	for _, c := range letters(text) {
		i := strings.IndexRune(rest, c)
		if i < 0 {
			t.Fatalf("%q is lost", c)
		}
		rest = rest[i+utf8.RuneLen(c):]
	}
}

// compared counts the characters of a text with ligatures and symbols written out. It ignores the
// joiners that norm inserts into long runs of marks.
func compared(text string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(norm.NFKC.String(text), "\u034F", ""))
}

// letters returns only the letters and digits of a text, because the marks of a heading are removed
// when it becomes part of the path.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, text)
}

// TestMixtures checks documents of random lines that contain everything that affects the cuts.
func TestMixtures(t *testing.T) {
	t.Parallel()
	lines := []string{"", "", "# one", "## two", "### three", "# one", "===", "---", "```", "~~~~",
		"|a|b|", "|-|-|", "|1|2|", "short", "\f",
		"end.\fNext", long(400), long(900), long(2_500), strings.Repeat("x", 2_100), "您可以。退回", "|" + strings.Repeat("y", 700) + "|z|"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		var text strings.Builder
		for range r.IntN(60) {
			text.WriteString(strings.Repeat(lines[r.IntN(len(lines))]+"\n", 1+r.IntN(2)*r.IntN(40)))
		}
		if checkPassages(t, text.String(), seed%2 == 0); t.Failed() {
			t.Fatalf("seed %d: %q", seed, text.String())
		}
	}
}

func FuzzPassages(f *testing.F) {
	for _, text := range hostile {
		f.Add(text[:min(len(text), 5_000)], true)
	}
	f.Add("# A\n## B\n"+long(3_000)+"\n### C\n|a|b|\n|-|-|\n"+strings.Repeat("|1|2|\n", 500)+
		"\fD\n===\n```\n# e\n", false)
	f.Fuzz(func(t *testing.T, text string, paged bool) { checkPassages(t, text, paged) })
}

func Benchmark(b *testing.B) {
	var words strings.Builder
	for i := range 200 {
		fmt.Fprintf(&words, "word%c%c ", 'a'+i/26, 'a'+i%26)
	}
	for name, text := range map[string]string{
		"prose":     strings.Repeat("# Returns\n\n"+long(3_000)+"\n\n"+long(700)+"\n\n", 100),
		"tables":    "|a|b|\n|-|-|\n" + strings.Repeat("| one | two |\n", 30_000),
		"Chinese":   strings.Repeat("您可以在三十天内退回所购商品。", 10_000),
		"ligatures": strings.Repeat("\uFDFA", 32_768),
		"marks":     strings.Repeat("\u0301", 32_768),
		"companies": strings.Repeat("\u337F", 32_768),  // each is four characters of Han
		"Greek":     strings.Repeat("\u1F82 ", 16_384), // each has three accents
		"words":     words.String(),
	} {
		for what, call := range map[string]func(){
			"passages":       func() { knowledge.Passages(text, false) },
			"terms":          func() { knowledge.Terms(text) },
			"question terms": func() { knowledge.QuestionTerms(text) },
		} {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					call()
				}
			})
		}
	}
}
