package bridge

import (
	"github.com/go-json-experiment/json/jsontext"
)

// item is an item of the input of Responses.
type item struct {
	Type    string         `json:"type"`
	Role    string         `json:"role"`
	ID      string         `json:"id"`
	Content jsontext.Value `json:"content"`
	CallID  string         `json:"call_id"`
	Output  jsontext.Value `json:"output"`
}

// tool is a function that the client has.
type tool struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description *string        `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	Strict      *bool          `json:"strict"`
}

// toolChoice is a requirement for the calls of the reply.
type toolChoice struct {
	// echo is the JSON of the field; nil if it is absent.
	echo jsontext.Value
	// forced says that the reply must have a call. name is the function's; empty for any.
	forced bool
	name   string
}

// readResponses reads the fields of Responses.
func readResponses(in *input, f fields) (err error) {
	if in.instructions, err = f.text("instructions"); err != nil {
		return err
	}
	if value := f["store"]; value.Kind() == jsontext.KindFalse {
		return refuse(codeStoreRequired, "store", "Agent Chat stores conversations. Leave store out.")
	}
	text, err := f.object("text")
	if err == nil {
		err = checkFormat(text.take("format"), "text.format")
	}
	if err != nil {
		return err
	}
	if len(text) > 0 {
		f["text"] = jsontext.Value("{}") // so that ignored names it: verbosity has no effect
	}
	if in.tools, err = decodeArray[tool](f.take("tools"), "tools"); err != nil {
		return err
	}
	for i, t := range in.tools {
		if t.Type != "function" {
			return notSupported(indexed("tools", i))
		}
	}
	if err := in.readToolChoice(f.take("tool_choice")); err != nil {
		return err
	}
	return in.readItems(f.take("input"))
}

// readToolChoice reads whether the reply must have a call.
func (in *input) readToolChoice(value jsontext.Value) error {
	const path = "tool_choice"
	in.toolChoice.echo = value
	switch value.Kind() {
	case jsontext.KindInvalid: // absent
		return nil
	case jsontext.KindString:
		text, err := textOf(value, path)
		if in.toolChoice.forced = text == "required"; err == nil && !in.toolChoice.forced && text != "auto" {
			err = toolChoiceRefused(path)
		}
		return err
	}
	members, err := objectOf(value, path)
	if err != nil {
		return err
	}
	if kind, err := members.text("type"); err != nil || kind == nil || *kind != "function" {
		return toolChoiceRefused(path)
	}
	name, err := members.text("name")
	if err != nil || name == nil {
		return invalid(path+".name", "must be a string.")
	}
	in.toolChoice.forced, in.toolChoice.name = true, *name
	return nil
}

// isMet reports whether a reply complies.
func (c toolChoice) isMet(actions []action) bool {
	if !c.forced {
		return true
	}
	for _, a := range actions {
		if c.name == "" || c.name == a.Name {
			return true
		}
	}
	return false
}

// readItems reads the input: a text, or items.
func (in *input) readItems(value jsontext.Value) error {
	in.raw, in.listPath = value, "input"
	if value.Kind() == jsontext.KindString {
		in.entries = []entry{{kind: userText, path: "input", contentPath: "input", content: value}}
		return nil
	}
	items, err := decodeArray[item](value, "input")
	if err != nil {
		return err
	}
	for i, it := range items {
		e, err := it.entry(indexed("input", i))
		if err != nil {
			return err
		}
		in.entries = append(in.entries, e)
	}
	return nil
}

// entry classifies an item.
func (it item) entry(path string) (entry, error) {
	e := entry{path: path, contentPath: path + ".content", content: it.Content, id: it.ID, idPath: path + ".id"}
	switch {
	case it.Type == "message", it.Type == "" && it.Role != "":
		kind, known := roles[it.Role]
		if !known {
			return e, invalid(path+".role", "must be user, assistant, system or developer.")
		}
		if e.kind = kind; kind != agentText {
			e.id = "" // not made by the bridge
		}
	case it.Type == "function_call":
		e.kind, e.content, e.id, e.idPath = agentCall, nil, it.CallID, path+".call_id"
	case it.Type == "function_call_output":
		e.kind, e.id, e.idPath = result, it.CallID, path+".call_id"
		e.content, e.contentPath = it.Output, path+".output"
	case it.Type == "item_reference", it.Type == "" && it.ID != "":
		e.kind = agentRef
		if _, ok := e.reference(); !ok {
			return e, unknownID(e.idPath)
		}
	default:
		e.kind, e.id = other, ""
	}
	return e, nil
}

// roles are the kinds of messages by role.
var roles = map[string]kind{
	"user": userText, "assistant": agentText, "system": systemText, "developer": systemText,
}
