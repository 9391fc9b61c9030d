package knowledge_test

import (
	"strings"
	"testing"

	"agentchat/internal/knowledge"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a\tb\nc\fd": "a\tb\nc\fd", "a\r\nb\rc\vd\u0085e": "a\nb\nc\nd\ne", "a\x00b\x1bc\u009fd": "a b c d",
		"\ufeffa\ufeffb": "a\ufeffb", "a\xff\xfeb": "a\ufffdb", "a\xed\xa0\x80b": "a\ufffdb",
	} {
		got := knowledge.Clean(text)
		if got != want || knowledge.Clean(got) != got {
			t.Errorf("%+q: %+q, want %+q", text, got, want)
		}
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	for _, same := range []string{"é a\nb", " e\u0301  a\r\n\r\n b\t", "\ufeffé a\fb"} {
		if knowledge.Digest(same) != knowledge.Digest("é a b") {
			t.Errorf("%+q counts as another text", same)
		}
	}
	for _, other := range []string{"é ab", "É a b", "e a b", ""} {
		if knowledge.Digest(other) == knowledge.Digest("é a b") {
			t.Errorf("%+q counts as the same text", other)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " \n": "", "One. Two.": "One.", "One.\nTwo.": "One.", "No end": "No end", "One\n\nTwo.": "One",
		"It costs 3.5 euros, e.g. today. No more.": "It costs 3.5 euros, e.g. today.",
		"“Really?” she said. Yes.":                 "“Really?” she said.",
		"第一句。第二句。":                                 "第一句。",
		"See example.com/a.html for more! Yes":     "See example.com/a.html for more!",
		"यह एक है। वह दो है।":                      "यह एक है।",
		strings.Repeat("é", 500):                   strings.Repeat("é", 300),
	} {
		if got := knowledge.FirstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
