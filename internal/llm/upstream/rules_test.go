package upstream_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// keywords has each keyword of a schema that says anything about a value, with a value that is in
// no other request.
var keywords = map[string]string{
	"type": `["string","boolean"]`, "const": `"u-1"`, "enum": `["u-1"]`, "pattern": `"u-1"`,
	"format": `"u-1"`, "default": `"u-1"`, "examples": `["u-1"]`, "contentEncoding": `"u-1"`,
	"contentMediaType": `"u-1"`, "deprecated": "true", "readOnly": "true", "writeOnly": "true",
	"title": `"u-1"`, "description": `"u-1"`, "required": `["u-1"]`, "dependentRequired": `{"u-1":["a"]}`,
	"maximum": "717", "minimum": "717", "exclusiveMaximum": "717", "exclusiveMinimum": "717",
	"multipleOf": "717", "maxLength": "717", "minLength": "717", "maxItems": "717", "minItems": "717",
	"maxContains": "717", "minContains": "717", "maxProperties": "717", "minProperties": "717",
	"uniqueItems": "true", "not": `{"title":"u-1"}`, "if": `{"title":"u-1"}`, "then": `{"title":"u-1"}`,
	"else": `{"title":"u-1"}`, "additionalProperties": `{"title":"u-1"}`, "items": `{"title":"u-1"}`,
	"unevaluatedProperties": `{"title":"u-1"}`, "propertyNames": `{"title":"u-1"}`,
	"contains": `{"title":"u-1"}`, "unevaluatedItems": `{"title":"u-1"}`, "allOf": `[{"title":"u-1"},{}]`,
	"anyOf": `[{"title":"u-1"}]`, "oneOf": `[{"title":"u-1"}]`, "prefixItems": `[{"title":"u-1"}]`,
	"properties": `{"u-1":{}}`, "patternProperties": `{"u-1":{}}`, "dependentSchemas": `{"u-1":{}}`,
	"$ref": `"#/$defs/x"`,
}

// TestEachKeywordIsStated tests that every adapter states each keyword once, in the format or in
// the instructions, for replies and for actions.
func TestEachKeywordIsStated(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		s := a.serve(t)
		s.Always(llmtest.Text(`{}`))
		m := a.model(t, s.URL, quick)
		for keyword, value := range keywords {
			text := `{"type":"object","properties":{"p":{"` + keyword + `":` + value +
				`}},"$defs":{"x":{"title":"of x"}}}`
			for _, of := range []string{"the reply that its format does not state:", "the arguments of wait:"} {
				req := request()
				if req.Schema = text; strings.Contains(of, "wait") {
					req.Schema, req.Actions = "", []llm.Action{{Name: "wait", Parameters: text}}
				}
				req.Rules = llm.Rules(m, req)
				if _, err := llmtest.Ask(t, m, req, secrets...); err != nil {
					t.Fatal(err)
				}
				body := strings.ReplaceAll(string(s.Last(t).Body), `\"`, `"`)
				said := strings.Count(body, `"`+keyword+`":`+value)
				told := strings.Count(body, "Be brief.\\n\\nRules for "+of+"\\n/properties/p "+keyword+" "+value+`"`)
				if keyword == "const" {
					said = max(said, strings.Count(body, `"enum":["u-1"]`))
				}
				if said+told != 1 || strings.Contains(body, "Rules for") != (told == 1) {
					t.Errorf("%s, %s: stated %d and %d times: %s", a.name, keyword, said, told, body)
				}
			}
		}
	}
}

// TestManyRules tests that the schema is stated as text instead of more than 8 KiB of rules, and
// that a request for text has none.
func TestManyRules(t *testing.T) {
	t.Parallel()
	var properties []string
	for i := range 300 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"pattern":"^a-%d$"}`, i, i))
	}
	for _, a := range adapters {
		m := a.model(t, a.serve(t).URL, quick)
		of := func(n int) llm.Request {
			return llm.Request{Schema: `{"type":"object","properties":{` + strings.Join(properties[:n], ",") + `}}`}
		}
		const heading = "Rules for the reply that its format does not state:\n"
		if got := llm.Rules(m, of(2)); got != heading+`/properties/p0 pattern "^a-0$"`+"\n"+`/properties/p1 pattern "^a-1$"` {
			t.Errorf("%s: 2 rules: %s", a.name, got)
		}
		if got := llm.Rules(m, of(300)); got != heading+of(300).Schema {
			t.Errorf("%s: 300 rules: %s", a.name, got)
		}
		if got := llm.Rules(m, llm.Request{}); got != "" {
			t.Errorf("%s: for a text: %s", a.name, got)
		}
	}
}

// TestUnions tests that a union of objects is stated once: as text where a format needs an object.
func TestUnions(t *testing.T) {
	t.Parallel()
	const union = `{"anyOf":[{"type":"object","required":["u-1"]},{"type":"object","required":["u-2"]}]}`
	for _, a := range adapters {
		s := a.serve(t)
		s.Always(llmtest.Text(`{}`))
		m := a.model(t, s.URL, quick)
		for _, actions := range []bool{false, true} {
			req, before := request(), `object that fits this JSON Schema:\n`
			if req.Schema = union; actions {
				req.Schema, req.Actions = "", []llm.Action{{Name: "wait", Parameters: union}}
				before = `Rules for the arguments of wait:\n`
			} else if a.name == "gemini" {
				before = `"responseJsonSchema":`
			}
			req.Rules = llm.Rules(m, req)
			if _, err := llmtest.Ask(t, m, req, secrets...); err != nil {
				t.Fatal(err)
			}
			body := strings.ReplaceAll(string(s.Last(t).Body), `\"`, `"`)
			if strings.Count(body, "u-1") != 1 || !strings.Contains(body, before+union) ||
				strings.Contains(body, "response_format") {
				t.Errorf("%s, actions %t: sent %s", a.name, actions, body)
			}
		}
	}
}
