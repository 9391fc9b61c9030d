package conversation_test

import (
	"strings"
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// TestUnsetIDs: a message cannot have an id that software sends in place of one, and everything that happened under such an id is found
// all the same.
func TestUnsetIDs(t *testing.T) {
	t.Parallel()
	const variable, template = "a variable in your code is probably not set", "a template that was not filled in"
	for id, says := range map[string]string{
		"undefined": variable, "null": variable, "None": variable, "nil": variable, "NaN": variable, "[object Object]": variable,
		"{{ $json.chatId }}": template, "{{}}": template, "{{{id}}}": template, "{{ {a: 1}.a }}": template, "${id}": template, "${}": template,
		"<%= id %>": template, "<%%>": template, "{{" + strings.Repeat("é", 251) + "}}": template,

		"Null": "", "NULL": "", "Undefined": "", "none": "", "Nil": "", "nan": "", "[object object]": "", "undefined ": "", "null1": "", "0": "", "false": "",
		"{id}": "", "{{id}": "", "{{}": "", "a{{id}}": "", "{{id}}b": "", "{{a}}-{{b}}": "", "${a}${b}": "", "$id": "", "${id": "", "$}": "", "<%>": "", "<id>": "",
		"%id%": "", "[[id]]": "",
	} {
		for _, check := range []func(path, id string) *fault.Field{conversation.CheckSessionID, conversation.CheckUser} {
			got := check("id", id)
			if says == "" && got != nil {
				t.Errorf("%q is refused: %s", id, got.Message)
			}
			if says != "" && (got == nil || got.Path != "id" || got.Reason != fault.InvalidValue || !strings.Contains(got.Message, says)) {
				t.Errorf("%q: %+v, want %q", id, got, says)
			}
		}
		for _, find := range []func(path, id string) error{conversation.FindSessionID, conversation.FindUser} {
			if err := find("id", id); err != nil {
				t.Errorf("%q cannot be found: %v", id, err)
			}
		}
	}
}

// TestResultsInText: a result that comes as text has to be JSON. What else is checked, package rest tests.
func TestResultsInText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]fault.Reason{
		` {"b": 1, "a": "\u0000"} `: "", `null`: "",
		`{`: fault.InvalidValue, `1 2`: fault.InvalidValue, `{"a":1,"a":2}`: fault.InvalidValue, `'a'`: fault.InvalidValue, "\"\xff\"": fault.InvalidValue,
		`"\ud800"`: fault.InvalidValue, ``: fault.InvalidValue,
	} {
		_, problem := conversation.CheckActionResults("actionResults", []*conversation.GivenResult{{ID: new("a"), Result: []byte(text)}})
		if got := problem; want == "" && got != nil || want != "" && (got == nil || got.Reason != want || got.Path != "actionResults.0.result") {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
}
