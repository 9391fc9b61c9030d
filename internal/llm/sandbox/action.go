package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/llm"
)

// maxActions is the most actions that a message can request.
const maxActions = 8

// quotedResult is the longest quotation of a result, in code points.
const quotedResult = 300

// noActions is added to the reply of an agent without actions.
const noActions = "This agent has no actions, so I ask for none."

// action is an action that the reply requests.
type action struct {
	name string
	// arguments is the JSON in the message; empty for made-up arguments.
	arguments string
	// misfit is "bad" for arguments that never match, or "bad_once" for those that match at the second
	// attempt.
	misfit string
}

// addAction adds the action that a setting names, and returns the text after its arguments.
func (d *directives) addAction(name, rest string) (after, problem string) {
	if name == "again" {
		d.again = true
		return rest, ""
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		return "", fmt.Sprintf("The sandbox directive action=%s is not valid: it must be the name of an action.", excerpt(name, 40))
	}
	if len(d.actions) == maxActions {
		return "", fmt.Sprintf("A message can have at most %d sandbox actions.", maxActions)
	}
	a := action{name: name}
	switch word, behind := firstWord(rest); {
	case strings.HasPrefix(word, "{"):
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		end := objectEnd(rest)
		if end < 0 {
			return "", "The arguments of the sandbox directive action are not a JSON object."
		}
		a.arguments, rest = rest[:end], rest[end:]
	case slices.Contains([]string{"bad", "bad_once"}, strings.ToLower(word)):
		a.misfit, rest = strings.ToLower(word), behind
	}
	d.actions = append(d.actions, a)
	return rest, ""
}

// closingOf returns the index of the brackets that close a directive, or -1. Brackets within the
// JSON of arguments do not count. It reads at most objects of those, so that parsing a message
// reads it only a few times.
func closingOf(text string, objects *int) int {
	for from := 0; ; {
		end := strings.Index(text[from:], closing)
		if end < 0 {
			return -1
		}
		start, size := strings.Index(text[from:from+end], "{"), -1
		if start >= 0 && *objects > 0 {
			*objects--
			size = objectEnd(text[from+start:])
		}
		if size < 0 {
			return from + end
		}
		from += start + size
	}
}

// objectEnd returns the length of the JSON object at the beginning of a text, or -1 if there is
// none.
func objectEnd(text string) int {
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	if _, err := decoder.ReadValue(); err != nil {
		return -1
	}
	return int(decoder.InputOffset())
}

// asks reports whether the reply requests actions: at first, again if the directives say so, and
// once more after wrong arguments.
func (d *directives) asks(req llm.Request) bool {
	steps := len(req.Steps)
	if req.Attempt > 1 && steps > 0 {
		steps-- // the last step has the error messages
	}
	return len(d.actions) > 0 && len(req.Actions) > 0 && !req.Answered && (steps == 0 || d.again)
}

// textWithCalls returns the text of a reply with calls.
func (d *directives) textWithCalls(req llm.Request, text string) string {
	switch {
	case d.words > 0:
		return filler(req, d.words)
	case blank(text):
		return ""
	}
	return "Let me look."
}

// calls returns the calls of a reply, even for undeclared actions. In a cut reply, the last call is
// cut, too. Errors are those of shaped.
func (d *directives) calls(ctx context.Context, req llm.Request,
	text string) (calls []llm.Call, err error) {
	calls = make([]llm.Call, len(d.actions))
	for i, a := range d.actions {
		calls[i].Name = a.name
		if calls[i].Arguments, err = a.argumentsFor(ctx, req, text); err != nil {
			return nil, err
		}
	}
	if last := &calls[len(calls)-1]; d.cut {
		last.Arguments = last.Arguments[:len(last.Arguments)/2]
	}
	return calls, nil
}

func (a action) argumentsFor(ctx context.Context, req llm.Request, text string) (string, error) {
	if a.arguments != "" {
		return a.arguments, nil
	}
	under := ""
	for _, declared := range req.Actions {
		if declared.Name == a.name {
			under = declared.Parameters
		}
	}
	if a.misfit == "bad" || a.misfit == "bad_once" && req.Attempt < 2 {
		return misshapen(ctx, under, text)
	}
	return shaped(ctx, under, text)
}

// outcomes describes the result of each call.
func outcomes(steps []llm.Step) (sentences []string) {
	for _, s := range steps {
		for i, r := range s.Results {
			verb := "returned"
			if r.Error != "" {
				verb = "failed"
			}
			name, came := excerpt(s.Calls[i].Name, quotedResult), excerpt(r.Result+r.Error, quotedResult)
			sentences = append(sentences,
				fmt.Sprintf("The action %s %s: %s.", name, verb, strings.TrimSuffix(came, ".")))
		}
	}
	return sentences
}

// callWords counts the words of calls.
func callWords(calls []llm.Call) (n int) {
	for _, c := range calls {
		n += countWords(c.Name) + countWords(c.Arguments)
	}
	return n
}
