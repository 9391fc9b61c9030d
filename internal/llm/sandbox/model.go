// Package sandbox is a language model that needs no network: its answers are made up, the same for the same request, and
// free of cost. A fresh install answers with it at once, and people who integrate the API test their own software against
// it: directives in double square brackets inside a message make it slow, long, or fail in each way that a real model can.
package sandbox

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// Model is the sandbox model. One value serves every sandbox entry of the catalogue; it has no state.
type Model struct{}

var _ llm.Model = (*Model)(nil)

// New returns the sandbox model.
func New() *Model { return &Model{} }

// Generate answers from the instructions and the conversation, or does what the message's directives say. A token is a
// word here: in the usage it reports, and in MaxOutputTokens.
//
// Faults: those of llm.Model, and, because a caller may ask for them by directive, InsufficientCredits, RateLimited,
// SessionBusy and Internal. It panics when the directive fail=panic asks for that.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(text string) error) (llm.Reply, error) {
	message := parse(req.Message)
	d := message.directives
	if message.problem != "" {
		d = directives{}
	}
	if err := wait(ctx, d.delay); err != nil {
		return llm.Reply{}, err
	}
	if d.fail != "" {
		if err := stream(ctx, filler(req, d.after), d.pace, emit); err != nil {
			return llm.Reply{}, err
		}
		return llm.Reply{}, failure(d.fail)
	}
	reply, err := compose(req, message, d)
	if err != nil {
		return llm.Reply{}, err
	}
	if err := stream(ctx, reply.Text, d.pace, emit); err != nil {
		return llm.Reply{}, err
	}
	return reply, nil
}

// compose makes the reply that the directives ask for.
func compose(req llm.Request, message message, d directives) (llm.Reply, error) {
	reply := llm.Reply{Finish: llm.FinishStop}
	switch {
	case message.problem != "":
		reply.Text = help(req, message.problem)
	case d.history:
		text, err := historyJSON(req)
		if err != nil {
			return llm.Reply{}, fault.Wrap(fault.ModelError, err)
		}
		reply.Text = text
	case d.words > 0:
		reply.Text = filler(req, d.words)
	default:
		reply.Text = answer(req, message.text)
		if d.cut {
			reply.Text = firstWords(reply.Text, max(1, countWords(reply.Text)/2))
		}
	}
	if d.cut {
		reply.Finish = llm.FinishLength
	}
	// The JSON of history stays whole: cut, it would be no JSON, and it is there to be compared exactly.
	if req.MaxOutputTokens != nil && !d.history {
		if cut := firstWords(reply.Text, max(1, *req.MaxOutputTokens)); len(cut) < len(reply.Text) {
			reply.Text, reply.Finish = cut, llm.FinishLength
		}
	}
	reply.InputTokens, reply.OutputTokens = usage(req, reply.Text)
	if d.tokens {
		reply.InputTokens, reply.OutputTokens = &d.inputTokens, &d.outputTokens
	}
	return reply, nil
}

// usage counts the words of all that the model was given and of what it answered.
func usage(req llm.Request, text string) (input, output *int64) {
	in := countWords(req.Instructions) + countWords(req.Message)
	for _, e := range req.History {
		in += countWords(e.User) + countWords(e.Assistant)
	}
	given, made := int64(in), int64(countWords(text))
	return &given, &made
}

// stream passes the text on word by word, each with the white space before it, so that the pieces make up exactly the text.
// The pace between two words holds without emit too: a slow model is as slow for a caller who waits for the whole reply.
func stream(ctx context.Context, text string, pace time.Duration, emit func(string) error) error {
	for first := true; text != ""; first = false {
		if !first {
			if err := wait(ctx, pace); err != nil {
				return err
			}
		}
		end := wordEnd(text)
		if blank(text[end:]) {
			end = len(text)
		}
		if emit != nil {
			if err := emit(text[:end]); err != nil {
				return err
			}
		}
		text = text[end:]
	}
	return nil
}

// wait waits for d, or until the context ends: then it returns ModelTimeout when the time was up, and ModelUnavailable when
// the caller gave up.
func wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return ended(err)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ended(ctx.Err())
	}
}

func ended(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.ModelTimeout, err)
	}
	return fault.Wrap(fault.ModelUnavailable, err)
}

// wordEnd returns where the first word of the text ends, the white space before it included.
func wordEnd(text string) int {
	inWord := false
	for i, r := range text {
		if space := unicode.IsSpace(r); space && inWord {
			return i
		} else if !space {
			inWord = true
		}
	}
	return len(text)
}

// countWords counts the words of the text.
func countWords(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		space := unicode.IsSpace(r)
		if !space && !inWord {
			n++
		}
		inWord = !space
	}
	return n
}

// firstWords returns the text's first n words, or the whole text when it has no more than that.
func firstWords(text string, n int) string {
	end := 0
	for range n {
		if end == len(text) {
			return text
		}
		end += wordEnd(text[end:])
	}
	if blank(text[end:]) {
		return text
	}
	return text[:end]
}

// blank reports whether the text has no word in it. It reads no further than the first one.
func blank(text string) bool { return strings.TrimLeftFunc(text, unicode.IsSpace) == "" }
