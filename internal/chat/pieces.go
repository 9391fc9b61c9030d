package chat

import (
	"errors"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// pieces takes a model's reply as it comes, makes it fit to be stored and passed on (valid UTF-8 without U+0000), and gives it
// to whoever listens. What was given to the listener is exactly what is stored.
type pieces struct {
	listen func(string)

	mu sync.Mutex
	// raw says whether the model has given any piece.
	raw bool
	// tail is the beginning of a character whose rest has not come yet.
	tail string
	// blank is white space at the beginning, kept back until there is something to read: a reply of nothing else is none.
	blank strings.Builder
	text  strings.Builder
	over  bool
}

var errReplyOver = errors.New("the reply is over")

// add takes the next piece. It fails once the reply is over, so that a model that was left behind ends.
func (p *pieces) add(piece string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return errReplyOver
	}
	p.raw = true
	piece = p.tail + piece
	whole := len(piece) - unfinished(piece)
	p.tail = strings.Clone(piece[whole:])
	p.pass(piece[:whole])
	return nil
}

// unfinished is how many bytes at the end begin a character without ending it.
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

// pass cleans a text and passes it on. The caller holds the lock.
func (p *pieces) pass(text string) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if text == "" {
		return
	}
	if p.text.Len() == 0 {
		if isBlank(text) {
			p.blank.WriteString(text)
			return
		}
		text = p.blank.String() + text
	}
	p.text.WriteString(text)
	if p.listen != nil {
		p.listen(text)
	}
}

// end takes the whole reply, for models that gave no pieces, and returns the text that was passed on. Fault: ModelError for a
// reply that says nothing.
func (p *pieces) end(whole string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over && !p.raw {
		p.pass(whole)
	} else if !p.over {
		p.pass(p.tail)
	}
	p.over = true
	if p.text.Len() == 0 {
		return "", fault.New(fault.ModelError, "")
	}
	return p.text.String(), nil
}

// stop ends the reply where it is and returns the text so far, "" when nothing was passed on.
func (p *pieces) stop() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	return p.text.String()
}

func isBlank(text string) bool { return strings.TrimFunc(text, unicode.IsSpace) == "" }
