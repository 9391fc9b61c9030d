package bridge

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/httpapi"
)

const (
	// maxMessage is the most characters of a message, and maxResult the most bytes of a result, in the
	// chat API.
	maxMessage, maxResult = 32_768, 16 << 10
	// maxResultDepth is the deepest JSON of a result: the chat API allows 64 levels for its body.
	maxResultDepth = maxDepth - 3
)

// instructionsVariable is the chat API's path to the system prompt.
const instructionsVariable = "variables.instructions"

// message is the body of a request to the chat API.
type message struct {
	Message       *string      `json:"message,omitzero"`
	SessionID     string       `json:"session_id"`
	UserID        *string      `json:"user_id,omitzero"`
	Variables     fields       `json:"variables,omitzero"`
	ActionResults []toolResult `json:"action_results,omitzero"`
	Stream        bool         `json:"stream,omitzero"`
}

// toolResult is the result of an action.
type toolResult struct {
	ID     string         `json:"id"`
	Result jsontext.Value `json:"result"`
}

// outgoing is a message with what the bridge needs to send it and to read the answer.
type outgoing struct {
	message
	// key is the idempotency key. random says that a retry of the client has another one. derived says
	// that the key was made from the message that the request continues.
	key             string
	random, derived bool
	// begun says that the client has a part of the reply's text.
	begun bool
	// paths are the client's paths by the chat API's.
	paths map[string]string
}

// outgoing returns the message of a request. key is the client's idempotency key, "" for none.
func (in *input) outgoing(key string) (*outgoing, error) {
	out := &outgoing{paths: map[string]string{}}
	where, err := in.place(key)
	if err != nil {
		return nil, err
	}
	if out.SessionID = where.session.text; where.session.path != "" {
		out.paths["session_id"] = where.session.path
	}
	if in.user != nil {
		out.UserID, out.paths["user_id"] = &in.user.text, in.user.path
	}
	out.Stream = in.stream
	texts, results := in.newest(userText), in.newest(result)
	switch {
	case len(texts) > 0 && len(results) > 0:
		return nil, refuse(codeMixedInput, texts[0].path, "Send results or a message, not both.")
	case len(results) > 0: // the variables of the message hold
		err = in.addResults(out, results)
	case len(texts) == 0:
		return nil, refuse(codeNoInput, in.listPath, "Send a user message or results of tools last.")
	default:
		if err = in.addMessage(out, texts); err == nil {
			err = in.addVariables(out)
		}
	}
	if err != nil {
		return nil, err
	}
	out.setKey(key, in, where)
	return out, nil
}

// addMessage adds the newest texts of the user, or the whole conversation.
func (in *input) addMessage(out *outgoing, texts []entry) error {
	join := in.joined
	if in.isHistory() {
		texts, join = in.entries, in.history
	}
	text, err := join(texts)
	if err != nil {
		return err
	}
	out.paths["message"] = in.listPath
	if utf8.RuneCountInString(text) > maxMessage {
		return refuse(codeContextLength, in.listPath,
			"The messages have more than 32,768 characters. Send fewer, or use a session.")
	}
	out.Message = &text
	return nil
}

// joined returns the texts of entries as paragraphs.
func (in *input) joined(entries []entry) (string, error) {
	var texts []string
	for _, e := range entries {
		text, err := contentText(e.content, e.contentPath)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, paragraph), nil
}

// history returns the whole conversation as one text, without calls and results.
func (in *input) history(entries []entry) (string, error) {
	var texts []string
	for _, e := range entries {
		speaker := "User: "
		switch e.kind {
		case userText:
		case agentText:
			speaker = "Agent: "
		case agentRef:
			return "", invalid(e.path, `is only the id of an earlier text. Send the text, or use the model "`+modelAgent+`".`)
		default:
			continue
		}
		text, err := contentText(e.content, e.contentPath)
		if err != nil {
			return "", err
		}
		if text != "" || e.kind == userText {
			texts = append(texts, speaker+text)
		}
	}
	return strings.Join(texts, paragraph), nil
}

// addResults adds the results of tools: all of the newest reply, between whose calls some programs
// put them.
func (in *input) addResults(out *outgoing, newest []entry) error {
	last := newest[len(newest)-1]
	asked, _, ok := parseCallID(last.id, callPrefix)
	if !ok {
		return unknownID(last.idPath)
	}
	from := in.newestFrom()
	for i, e := range in.entries {
		if e.kind != result {
			continue
		}
		r, n, ok := parseCallID(e.id, callPrefix)
		switch {
		case !ok && i >= from:
			return unknownID(e.idPath)
		case !ok || r != asked:
			continue // of an earlier reply
		}
		text, err := contentText(e.content, e.contentPath)
		if err != nil {
			return err
		}
		out.paths[indexed("action_results", len(out.ActionResults))] = e.path
		out.ActionResults = append(out.ActionResults, toolResult{ID: r.action(n), Result: resultValue(text)})
	}
	return nil
}

// resultValue returns a result as JSON: objects and arrays unchanged, else a text.
func resultValue(text string) jsontext.Value {
	value := jsontext.Value(strings.TrimSpace(text))
	if kind := value.Kind(); (kind == jsontext.KindBeginObject || kind == jsontext.KindBeginArray) &&
		len(value) <= maxResult && value.IsValid() && depth(value) <= maxResultDepth {
		return value
	}
	return httpapi.Encode(text)
}

// depth returns the nesting of valid JSON.
func depth(value jsontext.Value) (deepest int) {
	tokens := jsontext.NewDecoder(strings.NewReader(string(value)))
	for {
		if _, err := tokens.ReadToken(); err != nil {
			return deepest
		}
		deepest = max(deepest, tokens.StackDepth())
	}
}

// addVariables adds the variables, among them the system prompt.
func (in *input) addVariables(out *outgoing) error {
	out.Variables = in.variables
	var texts []string
	if in.instructions != nil && *in.instructions != "" {
		texts = append(texts, *in.instructions)
		out.paths[instructionsVariable] = "instructions"
	}
	for _, e := range in.entries {
		if e.kind != systemText {
			continue
		}
		text, err := contentText(e.content, e.contentPath)
		if err != nil {
			return err
		}
		if text == "" {
			continue // of a field that was left empty
		}
		texts = append(texts, text)
		if out.paths[instructionsVariable] == "" {
			out.paths[instructionsVariable] = e.path
		}
	}
	if len(texts) == 0 {
		return nil
	}
	if _, twice := in.variables["instructions"]; twice {
		return invalid(instructionsVariable, "came with a system prompt. Send one of them.")
	}
	value, err := json.Marshal(strings.Join(texts, paragraph))
	out.Variables["instructions"] = value
	return err
}
