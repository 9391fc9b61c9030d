package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// TestReplyBuffer: however a model splits its reply, what was emitted is what is stored, and it is valid text.
func TestReplyBuffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"Hello", " ", "\n", "é", "😀", "\x00", "\xff", "\xe2\x82", "\u202e", "a\xf0\x9f"})).Draw(t, "parts")
		whole := strings.Join(parts, "")
		var emitted strings.Builder
		p := &replyBuffer{emit: func(text string) {
			if !utf8.ValidString(text) || emitted.Len() == 0 && isBlank(text) {
				t.Fatalf("emitted %q", text)
			}
			emitted.WriteString(text)
		}}
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if err := p.add(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		stored, err := p.end(llm.Reply{Text: whole})
		clean := strings.ReplaceAll(strings.ToValidUTF8(whole, ""), "\x00", "")
		switch {
		case isBlank(strings.ReplaceAll(strings.ToValidUTF8(whole, "x"), "\x00", "")):
			if !fault.Is(err, fault.ModelError) || emitted.Len() > 0 {
				t.Fatalf("a blank reply is %q, %v after %q", stored, err, emitted.String())
			}
		case err != nil || stored != emitted.String():
			t.Fatalf("stored %q, %v after emitting %q", stored, err, emitted.String())
		case strings.ReplaceAll(stored, "\uFFFD", "") != clean:
			t.Fatalf("stored %q of %q", stored, whole)
		}
		if p.add("more") == nil {
			t.Fatal("a reply that has ended accepts more")
		}
	})
}

// The reply of a model that does not stream is emitted at its end.
func TestReplyBufferOfAModelThatDoesNotStream(t *testing.T) {
	t.Parallel()
	var emitted []string
	p := &replyBuffer{emit: func(text string) { emitted = append(emitted, text) }}
	if text, err := p.end(llm.Reply{Text: " whole\xff"}); err != nil || text != " whole\uFFFD" || len(emitted) != 1 || emitted[0] != text {
		t.Errorf("%q %v, emitted %q", text, err, emitted)
	}
}
