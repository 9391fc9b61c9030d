// Package sandbox is a language model that needs no network. Its answers are made up, cost nothing,
// and are the same for the same request. A fresh installation works with it at once, and
// integrators test their software against it: directives in double square brackets inside a message
// make it slow, lengthen its reply, or make it fail in every way that a real model can.
package sandbox

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/schema"
)

// Model is the sandbox model. It has no state, and serves every sandbox entry of the catalogue.
type Model struct{}

var _ llm.Model = (*Model)(nil)

// New returns the sandbox model.
func New() *Model { return &Model{} }

// Generate answers from the instructions and the conversation, or follows the directives in the
// message. A token is a word, both in the reported usage and in MaxOutputTokens.
//
// Faults: those of llm.Model, and, if a directive requests them, InsufficientCredits, RateLimited,
// SessionBusy and Internal. It panics for the directive fail=panic.
func (m *Model) Generate(ctx context.Context, req llm.Request,
	emit func(text string) error) (llm.Reply, error) {
	// The message of a second attempt describes the violation; the user's message is the last of the
	// history.
	if n := len(req.History) - 1; req.Attempt > 1 && len(req.Steps) == 0 && n >= 0 {
		req.Message, req.History = req.History[n].User, req.History[:n]
	}
	message := parse(req.Message)
	d := message.directives
	if message.problem != "" {
		d = directives{}
	}
	if err := wait(ctx, d.delay); err != nil {
		return llm.Reply{}, err
	}
	if d.first && req.Fallback {
		d.fail = ""
	}
	if d.fail != "" {
		text := filler(req, d.after)
		if err := stream(ctx, text, d.pace, emit); err != nil {
			return llm.Reply{}, err
		}
		if d.fail == "blocked" && text != "" {
			return llm.Reply{Text: text, Finish: llm.FinishBlocked}, nil
		}
		return llm.Reply{}, d.failure()
	}
	reply, err := compose(ctx, req, message, d)
	switch {
	case errors.Is(err, schema.ErrExampleTooLarge):
		return tooLarge(req, d), nil
	case ctx.Err() != nil:
		return llm.Reply{}, ended(ctx.Err())
	case err != nil:
		return llm.Reply{}, err
	}
	if err := stream(ctx, reply.Text, d.pace, emit); err != nil {
		return llm.Reply{}, err
	}
	return reply, nil
}

// requestCopies is the number of copies of a request's JSON in memory while it is made.
const requestCopies = 3

// compose makes the reply that the directives request.
func compose(ctx context.Context, req llm.Request, message message,
	d directives) (reply llm.Reply, err error) {
	reply.Finish = llm.FinishStop
	switch {
	case message.problem != "":
		reply.Text = help(req, message.problem)
	case d.asks(req):
		reply.Text = d.textWithCalls(req, message.text)
		reply.Calls, err = d.calls(ctx, req, message.text)
	case d.history, d.knowledge:
		if err := req.Memory.Grow(requestCopies * req.EncodedSize()); err != nil {
			return llm.Reply{}, err
		}
		encode := historyJSON
		if d.knowledge {
			encode = knowledgeJSON
		}
		text, err := encode(req)
		if err != nil {
			return llm.Reply{}, fault.Wrap(fault.ModelError, err)
		}
		reply.Text = text
	case d.words > 0:
		reply.Text = filler(req, d.words)
	case req.Schema != "":
		reply.Text, err = underSchema(ctx, req, message.text, d)
	default:
		reply.Text = answer(req, message.text)
		if d.cut {
			reply.Text = firstWords(reply.Text, max(1, countWords(reply.Text)/2))
		}
		if len(d.actions) > 0 && len(req.Actions) == 0 {
			reply.Text += " " + noActions
		}
	}
	if err != nil {
		return llm.Reply{}, err
	}
	if d.cut || d.output == "cut" && req.Schema != "" && reply.Calls == nil {
		reply.Finish = llm.FinishLength
	}
	// The JSON of a request is never cut, because tests compare it exactly.
	if req.MaxOutputTokens != nil && !d.history && !d.knowledge {
		if cut := firstWords(reply.Text, max(1, *req.MaxOutputTokens)); len(cut) < len(reply.Text) {
			reply.Text, reply.Calls, reply.Finish = cut, nil, llm.FinishLength
		}
	}
	reply.InputTokens, reply.OutputTokens = usage(req, reply)
	if d.tokens {
		reply.InputTokens, reply.OutputTokens = &d.inputTokens, &d.outputTokens
	}
	return reply, nil
}

// underSchema returns a structured reply. Its strings contain the results of the actions, if there
// were any.
func underSchema(ctx context.Context, req llm.Request, text string, d directives) (string, error) {
	switch {
	case d.output == "misfit", d.output == "misfit_once" && req.Attempt < 2:
		return misshapen(ctx, req.Schema, text)
	case d.output == "text":
		return answer(req, text), nil
	}
	if came := outcomes(req.Steps); len(came) > 0 {
		text = strings.Join(came, " ")
	}
	reply, err := shaped(ctx, req.Schema, text)
	if d.cut || d.output == "cut" {
		reply = reply[:(len(reply)+1)/2]
	}
	return reply, err
}

// tooLarge returns the reply for a schema whose examples are too large: cut off after its first
// character.
func tooLarge(req llm.Request, d directives) llm.Reply {
	reply := llm.Reply{Finish: llm.FinishLength}
	if d.asks(req) {
		reply.Calls = []llm.Call{{Name: d.actions[0].name, Arguments: "{"}}
	} else {
		reply.Text = "{"
	}
	return reply
}

// usage counts the words of the input and of the reply.
func usage(req llm.Request, reply llm.Reply) (input, output *int64) {
	in, out := countWords(req.Instructions)+countWords(req.Message),
		countWords(reply.Text)+callWords(reply.Calls)
	for _, e := range req.History {
		in += countWords(e.User) + countWords(e.Assistant)
	}
	if req.Knowledge != nil {
		in += countWords(req.Knowledge.Block)
	}
	for _, s := range req.Steps {
		in += countWords(s.Text) + callWords(s.Calls)
		for _, r := range s.Results {
			in += countWords(r.Result) + countWords(r.Error)
		}
	}
	given, made := int64(in), int64(out)
	return &given, &made
}

// stream emits the text word by word, each with the white space before it, so that the pieces add
// up to the text. The pace also applies without emit, so that a slow model is as slow for a caller
// that waits for the whole reply.
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

// wait waits for d or until the context ends. It returns ModelTimeout if the deadline passed, and
// ModelUnavailable if the caller canceled the call.
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

// wordEnd returns the index after the first word of a text, which includes the white space before
// it.
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

// countWords counts the words of a text.
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

// firstWords returns the first n words of a text, or the whole text if it has fewer.
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

// blank reports whether a text has no word. It reads only up to the first one.
func blank(text string) bool { return strings.TrimLeftFunc(text, unicode.IsSpace) == "" }
