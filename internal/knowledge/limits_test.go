package knowledge_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// problemsOf returns the fields and reasons of an InvalidInput.
func problemsOf(t *testing.T, err error) (out []string) {
	t.Helper()
	if err == nil {
		return nil
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.InvalidInput {
		t.Fatalf("%v", err)
	}
	for _, field := range f.Fields {
		if !strings.HasSuffix(field.Message, ".") || field.Reason == fault.TooLong && field.Limit == 0 {
			t.Errorf("%+v", field)
		}
		out = append(out, field.Path+" "+string(field.Reason))
	}
	return out
}

func times(n int, text string) []string { return slices.Repeat([]string{text}, n) }

func TestChecks(t *testing.T) {
	t.Parallel()
	e := func(n int) string { return strings.Repeat("é", n) }
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"text":                {err: knowledge.CheckText(" "+e(200)+" ", e(100_000))},
		"ligatures":           {err: knowledge.CheckText("\uFDFA", strings.Repeat("\uFDFA", 100_000/18))},
		"too many ligatures":  {knowledge.CheckText("a", strings.Repeat("\uFDFA", 100_000/18+1)), []string{"text too_long"}},
		"a blank one":         {knowledge.CheckText(" \t", "\n \u3000"), []string{"name blank", "text blank"}},
		"a long one":          {knowledge.CheckText(e(201), e(100_001)), []string{"name too_long", "text too_long"}},
		"no Unicode":          {knowledge.CheckText("a\nb", "a\xff"), []string{"name invalid_character", "text invalid_character"}},
		"U+0000":              {knowledge.CheckText("a\x00b", "a\x00"), []string{"name invalid_character", "text invalid_character"}},
		"answer":              {err: knowledge.CheckAnswer(times(10, e(500)), e(2_900))},
		"the longest":         {err: knowledge.CheckAnswer([]string{"a?"}, e(7_996))},
		"too long together":   {knowledge.CheckAnswer([]string{"a?"}, e(7_997)), []string{"answer too_long"}},
		"a long answer":       {knowledge.CheckAnswer([]string{"a?"}, e(8_001)), []string{"answer too_long"}},
		"20 questions":        {err: knowledge.CheckAnswer(times(20, "a?"), "a")},
		"21 questions":        {knowledge.CheckAnswer(times(21, "a?"), "a"), []string{"questions too_long"}},
		"no question":         {knowledge.CheckAnswer(nil, "a"), []string{"questions empty"}},
		"bad questions":       {knowledge.CheckAnswer([]string{"a?", " ", e(501), "\x00"}, " "), []string{"questions.1 blank", "questions.2 too_long", "questions.3 invalid_character", "answer blank"}},
		"file":                {err: knowledge.CheckFile("a.pdf", 10<<20)},
		"an empty file":       {knowledge.CheckFile("a.pdf", 0), []string{"file empty"}},
		"a file over 10 MB":   {knowledge.CheckFile("a.pdf", 10<<20+1), []string{"file too_long"}},
		"a file with no name": {knowledge.CheckFile("", 1), []string{"name blank"}},
	} {
		if got := problemsOf(t, c.err); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestAnswersFit shows that a search can return the longest answer.
func TestAnswersFit(t *testing.T) {
	t.Parallel()
	p := knowledge.AnswerPassage([]string{"a?"}, strings.Repeat("é", 7_996))
	if got := knowledge.Best([]knowledge.Given{{Passage: p}}); len(got) != 1 {
		t.Errorf("%d passages", len(got))
	}
}

func TestAnswerName(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"\nHow\nlong?": "How long?", strings.Repeat("é", 200): strings.Repeat("é", 200), strings.Repeat("é", 201): strings.Repeat("é", 199) + "…",
	} {
		if got := knowledge.AnswerName([]string{question, "b"}); got != want ||
			problemsOf(t, knowledge.CheckText(got, "a")) != nil {
			t.Errorf("%q: %q", question, got)
		}
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		pages int
		want  string
	}{
		"none": {"a", 500, ""}, "longest": {strings.Repeat("é", 2_000_000), 0, ""}, "pages": {"a", 501, "500 pages"},
		"a scan": {" \f\f\n", 3, "no text"}, "long": {strings.Repeat("é", 2_000_001), 0, "2,000,000"},
	} {
		if got := knowledge.Refusal(c.text, c.pages); (got == "") != (c.want == "") ||
			!strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	full := knowledge.Use{Sources: 200, Passages: 10_000, Bytes: 50 << 20}
	for name, c := range map[string]struct {
		use, more knowledge.Use
		want      string
	}{
		"up to all":     {knowledge.Use{}, full, ""},
		"nothing more":  {full, knowledge.Use{}, ""},
		"a source more": {knowledge.Use{Sources: 200}, knowledge.Use{Sources: 1, Passages: 1}, "200"},
		"an answer":     {knowledge.Use{Sources: 200}, knowledge.Use{Passages: 1, Bytes: 10}, ""},
		"a passage":     {full, knowledge.Use{Passages: 1}, "10,000"},
		"a byte":        {full, knowledge.Use{Bytes: 1}, "50 MB"},
	} {
		err := c.use.Room(c.more)
		if (err == nil) != (c.want == "") ||
			err != nil && (!fault.Is(err, fault.Conflict) ||
				!strings.Contains(fault.ClientMessage(err), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
