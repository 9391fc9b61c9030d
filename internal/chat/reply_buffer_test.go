package chat

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// textStream receives the text of a stream.
type textStream func(piece string)

func (textStream) Begun(BegunTurn) {}

func (s textStream) Text(piece string) { s(piece) }

// TestReplyBuffer: however a model splits its reply, the text that was sent is the text that is
// stored, and it is valid.
func TestReplyBuffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"Hello", " ", "\n", "é", "😀", "\x00", "\xff",
			"\xe2\x82", "\u202e", "a\xf0\x9f"})).Draw(t, "parts")
		whole := strings.Join(parts, "")
		var sent strings.Builder
		p := &replyBuffer{out: &delivery{stream: textStream(func(piece string) {
			if !utf8.ValidString(piece) || sent.Len() == 0 && isBlank(piece) {
				t.Fatalf("sent %q", piece)
			}
			sent.WriteString(piece)
		})}}
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
			if !fault.Is(err, fault.ModelError) || sent.Len() > 0 {
				t.Fatalf("a blank reply is %q, %v after %q", stored, err, sent.String())
			}
		case err != nil || stored != sent.String():
			t.Fatalf("stored %q, %v after sending %q", stored, err, sent.String())
		case strings.ReplaceAll(stored, "\uFFFD", "") != clean:
			t.Fatalf("stored %q of %q", stored, whole)
		}
		if p.add("more") == nil {
			t.Fatal("a reply that has ended accepts more")
		}
	})
}

// TestReplyBufferOfAModelThatDoesNotStream: its reply is sent at its end.
func TestReplyBufferOfAModelThatDoesNotStream(t *testing.T) {
	t.Parallel()
	var sent []string
	p := &replyBuffer{out: &delivery{stream: textStream(func(piece string) { sent = append(sent, piece) })}}
	if text, err := p.end(llm.Reply{Text: " whole\xff"}); err != nil || text != " whole\uFFFD" ||
		len(sent) != 1 || sent[0] != text {
		t.Errorf("%q %v, sent %q", text, err, sent)
	}
}

// TestThoughts tests that thoughts at the start of a reply are dropped, however it is split, and
// that nothing else is.
func TestThoughts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reply, sent, whole string }{ // whole is empty if it is what is sent
		{reply: " <think> a <b> </think>\n\nHi <think>", sent: "Hi <think>"},
		{reply: "<THINKING>a</think>b</Thinking> Hi</think>", sent: "Hi</think>", whole: "Hi</think>"},
		{reply: "<think>a</think> <thinking>b</thinking>Hi", sent: "Hi"},
		{reply: "<think></think>Hi", sent: "Hi"},
		{reply: "<think>a", sent: ""},
		{reply: "<think>a</thin", sent: ""},
		{reply: "<think", sent: "<think"},
		{reply: " <thinker>a</thinker>", sent: " <thinker>a</thinker>"},
		{reply: "a\n</think>\nHi", sent: "a\n</think>\nHi", whole: "Hi"},
		{reply: "Hi <think>a</think>", sent: "Hi <think>a</think>"},
		{reply: "<think>" + strings.Repeat("a", maxThoughts) + "</think>Hi", sent: "Hi"},
	} {
		whole := tc.whole
		if whole == "" {
			whole = tc.sent
		}
		for cut := range min(len(tc.reply), 40) {
			var sent strings.Builder
			streamed := &replyBuffer{out: &delivery{stream: textStream(func(p string) { sent.WriteString(p) })}}
			checked := &replyBuffer{}
			for _, b := range []*replyBuffer{streamed, checked} {
				if err := errors.Join(b.add(tc.reply[:cut]), b.add(tc.reply[cut:])); err != nil {
					t.Fatal(err)
				}
			}
			stored, _ := streamed.end(llm.Reply{})
			if text, _ := checked.end(llm.Reply{}); stored != tc.sent || sent.String() != tc.sent || text != whole {
				t.Errorf("%.40q cut at %d: stored %q, sent %q, whole %q", tc.reply, cut, stored, sent.String(), text)
			}
		}
		if text, _ := (&replyBuffer{}).end(llm.Reply{Text: tc.reply}); text != whole {
			t.Errorf("%.40q at once: %q", tc.reply, text)
		}
	}
	b := &replyBuffer{}
	if err := b.add("<think>" + strings.Repeat("a", maxThoughts+20)); !errors.Is(err, llm.ErrTooLong) {
		t.Errorf("endless thoughts: %v", err)
	}
}
