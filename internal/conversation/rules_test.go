package conversation_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// TestPlaceholderIDs shows that a message cannot have a placeholder as its id, but that turns with
// such an id can still be found.
func TestPlaceholderIDs(t *testing.T) {
	t.Parallel()
	refused := []string{
		"nil", "NIL", "null", "NULL", "none", "NONE", "None", "undefined", "UNDEFINED", "nan", "NAN", "NaN", "n/a",
		"N/A", "string", "<nil>", "<null>", "(null)", "(none)", "[undefined]", `"None"`, "'n/a'", "<string>",
		" undefined ", "\u00a0<nil>\u3000", "[object Undefined]", "[object Object]", "[object Array Iterator]",
		"[object ]", " [object Null] ", "{{ $json.chatId }}", "{{}}", "{{{id}}}", "{{ {a: 1}.a }}",
		"{{" + strings.Repeat("é", 251) + "}}", "${id}", "${}", "${a-b ?? 1}", "<%= id %>", "<%%>", "<%=id%>", "{id}",
		"{user.id}", "{_}", "{" + strings.Repeat("a", 30) + "}", "$id", "$_SESSION", "$a.b", ":id", ":user_id", "%s",
		"%d", "%v", "<%s>", "[{id}]", "({{id}})", `"${id}"`, "'$id'", "<:id>", "[<%= id %>]", " {{id}} ",
	}
	accepted := []string{
		"Null", "Nil", "Undefined", "nULL", "Nan", "N/a", "String", "STRING", "null1", "a null", "0", "false",
		"<Null>", "nul", " ", "<>", "()", "[]", `""`, "''", "{}", "<", `"`, "'", "[", "<<nil>>", `("null")`,
		"((null))", `"[object Object]"`, "<nil", "nil>", "<nil)", "{null", "( null )", "[object", "[object]",
		"object Object", "(object Object)", "[Object Object]", "[object Object", "{{id}", "{{}", "a{{id}}", "{{id}}b",
		"{{a}}-{{b}}", "${a}${b}", "${id", "$}", "<%>", "<id>", "%id%", "[[id]]", "{{id", "{1}", "{a b}", "{a-b}",
		"$", "$5", "$5.20", "$a-b", ":", ":1", ":a:", "::id", "%", "%x", "%s1", "%%s", `("{{id}}")`,
		"{" + strings.Repeat("a", 31) + "}", "$" + strings.Repeat("a", 31), "{3F2504E0-4F89-41D3-9A0C-0305E82C3301}",
		"{3f2504e04f8941d39a0c0305e82c3301}",
	}
	for i, id := range append(refused, accepted...) {
		for _, check := range []func(path, id string) *fault.Field{conversation.CheckSessionID,
			conversation.CheckUser} {
			got := check("id", id)
			want := fault.Field{
				Path: "id", Reason: fault.InvalidValue,
				Message: fmt.Sprintf("id is the placeholder %q. Send a real id or leave the field out.", id),
			}
			if i < len(refused) && (got == nil || *got != want) || i >= len(refused) && got != nil {
				t.Errorf("%q: %+v, refused is %t", id, got, i < len(refused))
			}
		}
		for _, find := range []func(path, id string) error{conversation.FindSessionID,
			conversation.FindUser} {
			if err := find("id", id); err != nil {
				t.Errorf("%q cannot be found: %v", id, err)
			}
		}
	}
}

// TestResultsInText shows that a result in text must be JSON. Package rest tests the other checks.
func TestResultsInText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]fault.Reason{
		` {"b": 1, "a": "\u0000"} `: "", `null`: "",
		`{`: fault.InvalidValue, `1 2`: fault.InvalidValue, `{"a":1,"a":2}`: fault.InvalidValue, `'a'`: fault.InvalidValue, "\"\xff\"": fault.InvalidValue,
		`"\ud800"`: fault.InvalidValue, ``: fault.InvalidValue,
	} {
		_, problem := conversation.CheckActionResults("actionResults",
			[]*conversation.GivenResult{{ID: new("a"), Result: []byte(text)}})
		if got := problem; want == "" && got != nil ||
			want != "" && (got == nil || got.Reason != want || got.Path != "actionResults.0.result") {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
}
