package bridge

import (
	"github.com/go-json-experiment/json/jsontext"
)

// chatMessage is a message of Chat Completions.
type chatMessage struct {
	Role       string         `json:"role"`
	Content    jsontext.Value `json:"content"`
	ToolCalls  jsontext.Value `json:"tool_calls"`
	ToolCallID string         `json:"tool_call_id"`
}

// readChat reads the fields of Chat Completions.
func readChat(in *input, f fields) error {
	if err := checkFormat(f.take("response_format"), "response_format"); err != nil {
		return err
	}
	tools, err := decodeArray[struct {
		Type string `json:"type"`
	}](f.take("tools"), "tools")
	if err != nil {
		return err
	}
	for i, t := range tools {
		if t.Type != "function" {
			return notSupported(indexed("tools", i))
		}
	}
	if choice := f.take("tool_choice"); choice != nil && compact(choice) != `"auto"` {
		return toolChoiceRefused("tool_choice")
	}
	return in.readMessages(f.take("messages"))
}

func (in *input) readMessages(value jsontext.Value) error {
	in.raw, in.listPath = value, "messages"
	messages, err := decodeArray[chatMessage](value, "messages")
	if err != nil {
		return err
	}
	for i, m := range messages {
		path := indexed("messages", i)
		e := entry{path: path, contentPath: path + ".content", content: m.Content}
		kind, known := roles[m.Role]
		switch {
		case m.Role == "tool":
			e.kind, e.id, e.idPath = result, m.ToolCallID, path+".tool_call_id"
		case !known:
			return invalid(path+".role", "must be user, assistant, system, developer or tool.")
		default:
			e.kind = kind
		}
		in.entries = append(in.entries, e)
		if err := in.readToolCalls(m, path); err != nil {
			return err
		}
	}
	return nil
}

// readToolCalls adds the calls of a message of the agent.
func (in *input) readToolCalls(m chatMessage, path string) error {
	if m.ToolCalls.Kind() != jsontext.KindBeginArray || roles[m.Role] != agentText {
		return nil
	}
	calls, err := decodeArray[struct {
		ID string `json:"id"`
	}](m.ToolCalls, path+".tool_calls")
	if len(in.entries)+len(calls) > maxElements {
		return invalid(in.listPath, "has more than 10,000 messages and calls. Send fewer.")
	}
	for i, call := range calls {
		at := indexed(path+".tool_calls", i)
		in.entries = append(in.entries, entry{kind: agentCall, path: at, id: call.ID, idPath: at + ".id"})
	}
	return err
}
