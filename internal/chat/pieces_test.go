package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentchat/internal/fault"
)

// TestPieces: however a model cuts its reply, what its listener was given is what is stored, and it is text.
func TestPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"Hello", " ", "\n", "é", "😀", "\x00", "\xff", "\xe2\x82", "\u202e", "a\xf0\x9f"})).Draw(t, "parts")
		whole := strings.Join(parts, "")
		var heard strings.Builder
		p := &pieces{listen: func(text string) {
			if !utf8.ValidString(text) || heard.Len() == 0 && isBlank(text) {
				t.Fatalf("heard %q", text)
			}
			heard.WriteString(text)
		}}
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if err := p.add(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		stored, err := p.end(whole)
		clean := strings.ReplaceAll(strings.ToValidUTF8(whole, ""), "\x00", "")
		switch {
		case isBlank(strings.ReplaceAll(strings.ToValidUTF8(whole, "x"), "\x00", "")):
			if !fault.Is(err, fault.ModelError) || heard.Len() > 0 {
				t.Fatalf("a reply of nothing is %q, %v after %q", stored, err, heard.String())
			}
		case err != nil || stored != heard.String():
			t.Fatalf("stored %q, %v after hearing %q", stored, err, heard.String())
		case strings.ReplaceAll(stored, "\uFFFD", "") != clean:
			t.Fatalf("stored %q of %q", stored, whole)
		}
		if p.add("more") == nil {
			t.Fatal("a reply that is over takes more")
		}
	})
}

// A model that gives no pieces is heard at its end.
func TestPiecesOfAModelThatGivesNone(t *testing.T) {
	t.Parallel()
	var heard []string
	p := &pieces{listen: func(text string) { heard = append(heard, text) }}
	if text, err := p.end(" whole\xff"); err != nil || text != " whole\uFFFD" || len(heard) != 1 || heard[0] != text {
		t.Errorf("%q %v, heard %q", text, err, heard)
	}
}
