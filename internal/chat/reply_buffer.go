package chat

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// replyBuffer collects a model's reply piece by piece, drops its thoughts, cleans it (valid UTF-8
// without U+0000) and delivers it. What was delivered is exactly what is stored.
type replyBuffer struct {
	// out receives the clean text piece by piece; nil for a reply that is checked first.
	out *delivery
	// reserve, when not nil, reserves memory for each piece before it is added.
	reserve func(piece string) error
	// maxBytes, when not 0, bounds a structured reply, which is collected without cleaning.
	maxBytes int

	mu       sync.Mutex
	thoughts thoughts
	// streamed is set once the model has sent any piece.
	streamed bool
	// tail is an incomplete character at the end of the last piece.
	tail string
	// blank is leading white space, held back until other text follows: white space alone is no reply.
	blank strings.Builder
	text  strings.Builder
	ended bool
}

var errReplyEnded = errors.New("the reply has ended")

// add takes the next piece. It fails once the reply has ended, so that an abandoned model stops,
// and without memory for the piece.
func (b *replyBuffer) add(piece string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return errReplyEnded
	}
	b.streamed = true
	piece, err := b.thoughts.rest(piece)
	if err != nil {
		return err
	}
	if b.thoughts.found && b.text.Len() == 0 {
		b.blank.Reset()
	}
	return b.take(piece)
}

// take adds text of the reply. The caller holds the lock.
func (b *replyBuffer) take(piece string) error {
	if b.reserve != nil {
		if err := b.reserve(piece); err != nil {
			return fmt.Errorf("%w: %w", llm.ErrAnswered, err)
		}
	}
	if b.maxBytes > 0 {
		if b.text.Len()+len(piece) > b.maxBytes {
			return llm.ErrTooLong
		}
		b.text.WriteString(piece)
		return nil
	}
	piece = b.tail + piece
	whole := len(piece) - unfinished(piece)
	b.tail = strings.Clone(piece[whole:])
	b.pass(piece[:whole])
	return nil
}

// unfinished returns the size of an incomplete character at the end, in bytes.
func unfinished(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRuneInString(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// pass cleans, collects and delivers text. The caller holds the lock.
func (b *replyBuffer) pass(text string) {
	if b.maxBytes == 0 {
		text = clean(text)
	}
	if text == "" {
		return
	}
	if b.text.Len() == 0 {
		if isBlank(text) {
			b.blank.WriteString(text)
			return
		}
		text = b.blank.String() + text
	}
	b.text.WriteString(text)
	if b.out != nil {
		b.out.send(b.text.String())
	}
}

// end ends the reply and returns its text. whole is the model's return value; its text is used if
// the model streamed no pieces. Faults, for a blank reply: ContentBlocked, ModelError.
func (b *replyBuffer) end(whole llm.Reply) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended && !b.streamed {
		text, err := b.thoughts.rest(whole.Text)
		if err != nil {
			return "", err
		}
		b.pass(b.thoughts.unopened(text + b.thoughts.end()))
	} else if !b.ended {
		b.pass(b.tail + b.thoughts.end())
	}
	b.ended = true
	text := b.text.String()
	if b.out == nil {
		text = b.thoughts.unopened(text)
	}
	switch {
	case !isBlank(text):
		return text, nil
	case whole.Finish == llm.FinishBlocked:
		return "", fault.New(fault.ContentBlocked, "")
	}
	return "", fault.New(fault.ModelError, "")
}

// collected returns the text so far.
func (b *replyBuffer) collected() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// stop ends the reply early and returns the text that it has delivered.
func (b *replyBuffer) stop() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	if b.out == nil {
		return ""
	}
	return b.out.text
}

// stopUnsent ends the reply unless text was delivered. It reports whether it ended the reply.
func (b *replyBuffer) stopUnsent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil && b.out.begun() {
		return false
	}
	b.ended = true
	return true
}

func isBlank(text string) bool { return strings.TrimFunc(text, unicode.IsSpace) == "" }

// clean returns the text without what cannot be stored.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
