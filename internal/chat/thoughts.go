package chat

import (
	"strings"
	"unicode"

	"agentchat/internal/llm"
)

// maxThoughts bounds the thoughts of a reply, in bytes.
const maxThoughts = 1 << 20

// thoughtTags are the tags in which models write thoughts at the start of a reply.
var thoughtTags = []string{"think", "thinking"}

// thoughts drops the thoughts with which a model begins its reply, and the space after them.
type thoughts struct {
	// found is set by the first ones, and by unopened.
	found bool
	// held is text that may be part of a tag.
	held string
	// closing is the tag that ends the thoughts; empty outside of them.
	closing string
	size    int
	// over means that the reply itself has begun.
	over bool
}

// rest takes the next piece of a reply and returns its text without thoughts. Error:
// llm.ErrTooLong.
func (t *thoughts) rest(piece string) (string, error) {
	if t.over {
		return piece, nil
	}
	text := t.held + piece
	t.held = ""
	for {
		if t.closing == "" {
			inner := strings.TrimLeftFunc(text, unicode.IsSpace)
			if !t.begins(inner) {
				return t.outside(text, inner), nil
			}
			text = inner[len(t.closing)-1:]
		}
		before, after, closed := cutTag(text, t.closing)
		if !closed { // the tag may be in two pieces
			before = text[:max(len(text)-len(t.closing)+1, 0)]
			t.held = strings.Clone(text[len(before):])
		}
		if t.size += len(before); t.size > maxThoughts {
			return "", llm.ErrTooLong
		}
		if !closed {
			return "", nil
		}
		text, t.closing = strings.TrimLeftFunc(after, unicode.IsSpace), ""
	}
}

// begins reports whether a text begins with an opening tag.
func (t *thoughts) begins(text string) bool {
	for _, name := range thoughtTags {
		if tag := "<" + name + ">"; len(text) >= len(tag) && strings.EqualFold(text[:len(tag)], tag) {
			t.found, t.closing = true, "</"+name+">"
		}
	}
	return t.closing != ""
}

// outside returns a text without thoughts, whose part after the leading space is inner; without
// that space if there were thoughts before. It holds back what may be the start of a tag.
func (t *thoughts) outside(text, inner string) string {
	if t.found {
		text = inner
	}
	for _, name := range thoughtTags {
		if tag := "<" + name + ">"; len(inner) < len(tag) && strings.EqualFold(tag[:len(inner)], inner) {
			t.held = strings.Clone(inner)
			return text[:len(text)-len(inner)]
		}
	}
	t.over = true
	return text
}

// end returns the text that was held back, at the end of the reply.
func (t *thoughts) end() string {
	if t.closing != "" {
		return ""
	}
	return t.held
}

// cutTag cuts a text around the first occurrence of a tag, in any case.
func cutTag(text, tag string) (before, after string, found bool) {
	for i := 0; i+len(tag) <= len(text); i++ {
		if text[i] == '<' && strings.EqualFold(text[i:i+len(tag)], tag) {
			return text[:i], text[i+len(tag):], true
		}
	}
	return text, "", false
}

// unopened returns a whole reply without the text before a closing tag that was never opened.
func (t *thoughts) unopened(text string) string {
	if t.found {
		return text
	}
	for _, name := range thoughtTags {
		before, after, closed := cutTag(text, "</"+name+">")
		if _, _, opened := cutTag(before, "<"+name+">"); closed && !opened {
			text, t.found = strings.TrimLeftFunc(after, unicode.IsSpace), true
		}
	}
	return text
}
