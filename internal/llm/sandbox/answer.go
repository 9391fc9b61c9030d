package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"agentchat/internal/llm"
)

// The longest quotations in an answer, in code points.
const (
	quotedMessage      = 200
	quotedInstructions = 120
	quotedFact         = 300
)

// maxNoted is the most facts of a message that the answer repeats.
const maxNoted = 5

// answer returns the reply to a message without directives.
func answer(req llm.Request, text string) string {
	parts := append([]string{turnSentence(req)}, outcomes(req.Steps)...)
	if known := fromKnowledge(req, text); known != "" {
		parts = append(parts, known)
	}
	stated, asked := facts(text)
	if len(asked) > 0 {
		asked = asked[:min(len(asked), maxNoted)]
		known := recall(req.History, stated, asked)
		for _, subject := range asked {
			if value := known[subject]; value != "" {
				parts = append(parts, fmt.Sprintf("Your %s.", excerpt(subject+" "+value, quotedFact)))
			} else {
				parts = append(parts,
					fmt.Sprintf("I cannot see that you told me your %s.", excerpt(subject, quotedFact)))
			}
		}
	}
	for _, f := range stated[:min(len(stated), maxNoted)] {
		parts = append(parts, fmt.Sprintf("I will remember that your %s.",
			excerpt(f.subject+" "+f.value, quotedFact)))
	}
	if quote := excerpt(text, quotedMessage); quote == "" {
		parts = append(parts, "Your message contained only directives.")
	} else {
		parts = append(parts, "You wrote: “"+quote+"”.")
	}
	if n := len(req.History); n > 0 {
		earlier, _, _ := split(req.History[n-1].User)
		if quote := excerpt(earlier, quotedMessage); quote != "" {
			parts = append(parts, "Before that you wrote: “"+quote+"”.")
		}
	}
	if quote := excerpt(req.Instructions, quotedInstructions); quote != "" {
		parts = append(parts, "My instructions are: “"+quote+"”.")
	}
	parts = append(parts, "I am the sandbox model, so my answers are made up for testing.")
	return strings.Join(parts, " ")
}

// turnSentence says which turn of the conversation this is, and how many earlier turns the model
// received, if not all.
func turnSentence(req llm.Request) string {
	given := int64(len(req.History))
	turn := max(req.TurnNumber, given+1)
	sentence := fmt.Sprintf("This is turn %d of our conversation.", turn)
	if turn > given+1 {
		sentence += fmt.Sprintf(" Of the turns before it I was given the last %d.", given)
	}
	return sentence
}

// fillerWords follow the first sentence of a reply of a requested length.
var fillerWords = strings.Fields("these words fill a reply of the requested length and they mean nothing at all")

// filler returns a text of exactly n words.
func filler(req llm.Request, n int) string {
	words := strings.Fields(turnSentence(req))
	for i := 0; len(words) < n; i++ {
		words = append(words, fillerWords[i%len(fillerWords)])
	}
	return strings.Join(words[:n], " ")
}

// historyJSON returns the input of the model as JSON, without HTML escapes.
func historyJSON(req llm.Request) (string, error) {
	req = req.WithKnowledge()
	type turn struct {
		Role    string     `json:"role"`
		Text    string     `json:"text"`
		Actions []llm.Call `json:"actions,omitempty"` // for an assistant's turn with calls
		ID      string     `json:"id,omitempty"`      // for the result of an action
		Failed  bool       `json:"failed,omitempty"`
	}
	history := struct {
		Instructions string `json:"instructions"`
		Turns        []turn `json:"turns"`
	}{Instructions: req.Instructions}
	for _, e := range req.History {
		history.Turns = append(history.Turns, turn{Role: "user", Text: e.User},
			turn{Role: "assistant", Text: e.Assistant})
	}
	history.Turns = append(history.Turns, turn{Role: "user", Text: req.Message})
	for _, s := range req.Steps {
		history.Turns = append(history.Turns, turn{Role: "assistant", Text: s.Text, Actions: s.Calls})
		for i, r := range s.Results {
			history.Turns = append(history.Turns, turn{
				Role:   "action",
				Text:   r.Result + r.Error,
				ID:     s.Calls[i].ID,
				Failed: r.Error != "",
			})
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(history); err != nil {
		return "", fmt.Errorf("sandbox history: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// help says what is wrong with a directive and lists all directives.
func help(req llm.Request, problem string) string {
	return turnSentence(req) + " " + problem + `
The sandbox knows these directives. They can stand anywhere in a message and can be combined:
[[sandbox history]] replies with the context that the model received, as JSON.
[[sandbox knowledge]] replies with the passages that the model received, as JSON.
[[sandbox delay=2s]] waits first, at most 5m.
[[sandbox fail=error]] fails; the values are ` + strings.Join(failNames(), ", ") + `.
[[sandbox fail=error after=20]] streams 20 words first, then fails.
[[sandbox fail=error first]] fails only in the first model that is asked, so that the agent's fallback model answers; also with ` +
		strings.Join(firstFails[1:], ", ") + `.
[[sandbox words=5000]] replies with that many words, at most ` + strconv.Itoa(maxWords) + `.
[[sandbox words=50 pace=10ms]] waits that time between two words, at most 1m.
[[sandbox finish=length]] replies with a text that is cut off, with that finish reason.
[[sandbox output=misfit]] breaks the reply schema, if the agent has one; the values are ` + strings.Join(outputs, ", ") + `.
[[sandbox action=order_status]] asks for that action with arguments that are made up; at most ` + strconv.Itoa(maxActions) + ` in a message.
[[sandbox action=order_status {"order":"A-1"}]] asks with those. The word bad there sends some that do not fit, bad_once only at first.
[[sandbox action=order_status action=again]] asks for the same again after every result.
[[sandbox tokens=120:30]] reports that usage: input and output tokens.`
}

// excerpt returns the beginning of a text on one line, at most limit code points, followed by … if
// it was cut. Each run of white space and control characters becomes one space.
func excerpt(text string, limit int) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			gap = n > 0
			continue
		}
		if n >= limit {
			return b.String() + "…"
		}
		if gap {
			b.WriteByte(' ')
			n++
		}
		b.WriteRune(r)
		n, gap = n+1, false
	}
	return b.String()
}
