package evaluation

import (
	"encoding/json"
	"errors"
	"slices"
	"unicode/utf8"

	"agentchat/internal/conversation"
)

// The limits of the parts of a judge's message, in characters.
const (
	maxJudgedHistory = 8_000
	maxJudgedText    = 16_000
	maxJudgedCalls   = 4_000
)

// judged is the message to a judge. Long texts are truncated with an ellipsis.
type judged struct {
	Criterion string       `json:"criterion"`
	History   []Exchange   `json:"history"`
	Message   string       `json:"message"`
	Reply     string       `json:"reply"`
	Actions   []judgedCall `json:"actions"`
	Sources   []string     `json:"sources"`
}

type judgedCall struct {
	Name string `json:"name"`
	// Arguments is a JSON object, or a string if it was truncated.
	Arguments any `json:"arguments"`
}

// JudgeMessage returns the message to the judge for a judge check. It is always a JSON object within
// the length limit of messages, whatever the reply contains.
func (c *Case) JudgeMessage(check int, reply Reply) string {
	for share := 1; ; share *= 2 { // escapes can double the length
		text := conversation.EncodeJSON(judged{
			Criterion: c.Checks[check].Criterion,
			History:   lastOf(c.History, maxJudgedHistory/share),
			Message:   firstOf(c.Message, maxJudgedText/share),
			Reply:     firstOf(reply.Text, maxJudgedText/share),
			Actions:   callsWithin(reply.Actions, maxJudgedCalls/share),
			Sources:   textsWithin(reply.Sources, maxJudgedCalls/share),
		})
		if utf8.RuneCountInString(text) <= conversation.MaxMessage {
			return text
		}
	}
}

// lastOf returns the end of a history, at most that many characters.
func lastOf(history []Exchange, most int) []Exchange {
	out := []Exchange{}
	// last returns as much of the end of a text as still fits.
	last := func(text string) string {
		characters := []rune(text)
		over := len(characters) - most
		most = max(0, -over)
		if over > 0 {
			return "…" + string(characters[over:])
		}
		return text
	}
	for _, e := range slices.Backward(history) {
		if most == 0 {
			break
		}
		e.Reply = last(e.Reply)
		e.Message = last(e.Message)
		out = append(out, e)
	}
	slices.Reverse(out)
	return out
}

// firstOf returns the beginning of a text, at most that many characters.
func firstOf(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i] + "…"
		}
		most--
	}
	return text
}

// callsWithin returns calls of at most that many characters, with the last one truncated.
func callsWithin(calls []Call, most int) []judgedCall {
	out := []judgedCall{}
	for _, call := range calls {
		if most <= 0 {
			break
		}
		arguments := string(call.Arguments)
		length := utf8.RuneCountInString(call.Name + arguments)
		if length <= most && json.Valid(call.Arguments) {
			out = append(out, judgedCall{call.Name, call.Arguments})
		} else {
			out = append(out, judgedCall{call.Name, firstOf(arguments, max(0, most-len(call.Name)))})
		}
		most -= length
	}
	return out
}

// textsWithin returns texts of at most that many characters, with the last one truncated.
func textsWithin(texts []string, most int) []string {
	out := []string{}
	for _, text := range texts {
		if most <= 0 {
			break
		}
		out = append(out, firstOf(text, most))
		most -= utf8.RuneCountInString(text)
	}
	return out
}

// ParseVerdict returns the verdict in a judge's reply. Other members are ignored.
func ParseVerdict(output []byte) (passed bool, reason string, err error) {
	var verdict struct {
		Passed *bool   `json:"passed"`
		Reason *string `json:"reason"`
	}
	if err := json.Unmarshal(output, &verdict); err != nil {
		return false, "", err
	}
	if verdict.Passed == nil || verdict.Reason == nil {
		return false, "", errors.New("a judge's reply without passed or reason")
	}
	return *verdict.Passed, *verdict.Reason, nil
}

// CanJudge reports whether the replies of an agent with this reply schema are verdicts: it requires
// passed, a boolean, and reason, a string.
func CanJudge(replySchema string) bool {
	var object struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	return json.Unmarshal([]byte(replySchema), &object) == nil &&
		slices.Contains(object.Required, "passed") && object.Properties["passed"].Type == "boolean" &&
		slices.Contains(object.Required, "reason") && object.Properties["reason"].Type == "string"
}
