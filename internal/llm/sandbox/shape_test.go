package sandbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/schema"
)

func ask(t *testing.T, req llm.Request) llm.Reply {
	t.Helper()
	reply, err := sandbox.New().Generate(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// TestShapes shows that the value fits the schema, and contains a part of the message if there is a
// string.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, of := range []string{
		`{"type":"string"}`, `{"type":"string","minLength":300}`, `{"type":"string","minLength":290,"maxLength":290}`, `{"type":"string","maxLength":3}`, `{"type":"string","pattern":"^[A-Z]{2}-\\d{4,}(a|b)+\\.x?$"}`,
		`{"enum":["a",2,null]}`, `{"const":{"b":[1]}}`, `{"type":"integer","minimum":3,"maximum":3}`, `{"type":"integer","exclusiveMinimum":2.5,"multipleOf":5}`,
		`{"type":"number","exclusiveMinimum":0,"maximum":0.5,"multipleOf":0.25}`, `{"type":"number","maximum":-7}`, `{"type":"number","exclusiveMaximum":1}`, `{"minimum":10}`,
		`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`, `{"exclusiveMinimum":0.1,"maximum":1,"allOf":[{"multipleOf":0.3},{"multipleOf":0.45}]}`,
		`{"type":"boolean"}`, `{"type":"null"}`, `{"type":["null","string"]}`, `{"type":"array","items":{"type":"integer"},"minItems":3}`,
		`{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true}`, `{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2}`,
		`{"contains":{"const":7},"type":"array"}`, `{"type":"array","maxItems":0}`, `{"type":"object","required":["x","y"],"properties":{"x":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}`,
		`{"$ref":"#/$defs/address"}`, `{"allOf":[{"$ref":"#/$defs/address"},{"required":["zip"],"properties":{"zip":{"pattern":"^[0-9]{5}$"}}}]}`,
		`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"},"n":{"type":"integer"}},"required":["kind","n"]}]}`,
		`{"anyOf":[{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/address"}}]}`, `{"type":"object","minProperties":2}`, `{"type":"string","not":{"const":"x"}}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["b"]},"unevaluatedProperties":true}`, `true`, `{}`,
	} {
		text := `{"type":"object","properties":{"a":` + of +
			`,"note":{"type":"string"},"never":false},"required":["a","note"],"additionalProperties":false,
			"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"}},"required":["street"]}}}`
		shape, err := schema.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		reply := ask(t, llm.Request{Message: `Order "A-1" <é>`, Schema: text})
		if _, err := shape.Check(reply.Text); err != nil ||
			!strings.Contains(reply.Text, `Order \"A-1\" <é>`) {
			t.Errorf("%s: %s: %v", of, reply.Text, err)
		}
		for directive, want := range map[string]string{"misfit": "mismatch", "misfit_once": "mismatch", "text": "not_json", "cut": "not_json"} {
			req := llm.Request{Message: "Hello [[sandbox output=" + directive + "]]", Schema: text}
			reply := ask(t, req)
			_, err := shape.Check(reply.Text)
			misfit, _ := err.(*schema.Violation) //nolint:errorlint // Check returns this type
			if misfit == nil || string(misfit.Reason) != want ||
				(reply.Finish == llm.FinishLength) != (directive == "cut") {
				t.Errorf("%s, %s: %s, %s: %v", of, directive, reply.Text, reply.Finish, err)
			}
			req.History, req.Attempt = []llm.EarlierTurn{{User: req.Message, Assistant: reply.Text}}, 2
			req.Message = "Reply again. [[sandbox fail=error]]"
			if _, err := shape.Check(ask(t, req).Text); (err == nil) != (directive == "misfit_once") {
				t.Errorf("%s, %s, the second attempt: %v", of, directive, err)
			}
		}
	}
}

// TestShapesThatAreTooLarge shows that the reply and its calls are cut if a schema requires a value
// that is too large, even for the misfit directives.
func TestShapesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":2e9}}}`
	actions := []llm.Action{{Name: "look", Parameters: text}}
	for _, req := range []llm.Request{
		{Message: "Hi", Schema: text},
		{Message: "Hi [[sandbox output=misfit]]", Schema: text},
		{Message: "Hi [[sandbox action=look]]", Actions: actions},
		{Message: "Hi [[sandbox action=look bad]]", Actions: actions, Schema: text},
	} {
		reply := ask(t, req)
		if asks := len(req.Actions) > 0; reply.Finish != llm.FinishLength ||
			len(reply.Calls) > 0 != asks || asks && reply.Text != "" {
			t.Errorf("%s: %+v", req.Message, reply)
		}
	}
}

// TestShapesAndOtherDirectives shows that directives for another reply also work with a schema, and
// that output= has no effect without one.
func TestShapesAndOtherDirectives(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`
	if reply := ask(t, llm.Request{Message: "[[sandbox history]]", Schema: text}).Text; !json.Valid([]byte(reply)) || !strings.Contains(reply, `"turns"`) {
		t.Errorf("history: %s", reply)
	}
	if reply := ask(t, llm.Request{Message: "[[sandbox words=3]]", Schema: text}).Text; len(strings.Fields(reply)) != 3 {
		t.Errorf("words: %s", reply)
	}
	if reply := ask(t, llm.Request{Message: "Hi [[sandbox output=cut]]"}); reply.Finish != llm.FinishStop || !strings.Contains(reply.Text, "Hi") {
		t.Errorf("without a schema: %+v", reply)
	}
	if reply := ask(t, llm.Request{Message: "[[sandbox output=none]]"}).Text; !strings.Contains(reply, "cut, misfit, misfit_once, text") {
		t.Errorf("unknown: %s", reply)
	}
}
