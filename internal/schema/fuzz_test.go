package schema_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"agentchat/internal/schema"
)

// FuzzSchema tests that every text parses to a schema or a RefusedError, and that every check of a
// reply returns a text or a Violation. Another check does not change the text.
func FuzzSchema(f *testing.F) {
	for _, tc := range refused() {
		f.Add(tc.schema, `{"a":1}`)
	}
	f.Add(order, `{"id":"A-1","lines":[{"sku":"s","count":2,"price":0e30000000}]}`)
	f.Add(property(`{"type":"number","minimum":1}`), "```json\n{\"a\":1e30000000}\n```")
	f.Fuzz(func(t *testing.T, text, reply string) {
		s, err := schema.Parse(text)
		if err != nil {
			if _, ok := errors.AsType[*schema.RefusedError](err); !ok {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if reduced := schema.Reduce(text, func(string) bool { return true }); len(reduced.Text) > 2*len(text) {
			t.Errorf("%q is reduced to %q", text, reduced.Text)
		}
		fits, err := s.Check(reply)
		if err != nil {
			violation, ok := errors.AsType[*schema.Violation](err)
			if !ok || violation.Start < 0 || violation.Start > violation.End || violation.End > len(reply) {
				t.Fatalf("%q, %q: %v, %+v", text, reply, err, violation)
			}
			return
		}
		if again, err := s.Check(fits); err != nil || again != fits {
			t.Errorf("%q under %q became %q, then %q: %v", reply, text, fits, again, err)
		}
	})
}

// generator creates random values and schemas with few names, so that they often match.
type generator struct{ *rand.Rand }

func (g generator) of(all ...string) string { return all[g.IntN(len(all))] }

func (g generator) value(depth int) string {
	if depth <= 0 || g.IntN(3) == 0 {
		return g.of("1", "2.5", "-3", "1e1", `"a"`, `"bb"`, "null", "true", "[]", "{}")
	}
	if g.IntN(2) == 0 {
		return `[` + list(g.IntN(4), func(int) string { return g.value(depth - 1) }) + `]`
	}
	return g.members(func() string { return g.value(depth - 1) })
}

func (g generator) members(of func() string) string {
	var all []string
	for _, name := range []string{"a", "b", "c"} {
		if g.IntN(2) == 0 {
			all = append(all, `"`+name+`":`+of())
		}
	}
	return `{` + strings.Join(all, ",") + `}`
}

func (g generator) schema(depth int) string {
	if depth <= 0 {
		return g.of(`{"type":"string"}`, `{"type":["integer","null"]}`, `{}`, `true`, `false`,
			`{"minimum":2}`, `{"$ref":"#/$defs/x"}`, `{"$ref":"#/$defs/y"}`, `{"const":1}`)
	}
	sub := func() string { return g.schema(depth - 1) }
	var all []string
	for range 1 + g.IntN(3) {
		keyword := g.of("properties", "items", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
			"additionalProperties", "contains", "prefixItems", "unevaluatedProperties", "unevaluatedItems",
			"propertyNames", "dependentSchemas", "patternProperties", "required", "uniqueItems", "$ref",
			"enum")
		if strings.Contains(strings.Join(all, ","), `"`+keyword+`":`) {
			continue
		}
		var value string
		switch keyword {
		case "properties", "dependentSchemas", "patternProperties":
			value = g.members(sub)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			value = `[` + list(1+g.IntN(2), func(int) string { return sub() }) + `]`
		case "required":
			value = g.of(`["a"]`, `["a","b"]`, `[]`)
		case "uniqueItems":
			value = "true"
		case "$ref":
			value = g.of(`"#/$defs/x"`, `"#/$defs/y"`)
		case "enum":
			value = `[` + g.value(1) + `,` + g.value(1) + `]`
		default:
			value = sub()
		}
		all = append(all, `"`+keyword+`":`+value)
	}
	return `{` + strings.Join(all, ",") + `}`
}

// TestMatchesTheLibrary tests that a schema with its references resolved and without its
// annotations accepts the same replies as the original text in the library.
func TestMatchesTheLibrary(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	fits, taken := 0, 0
	for range 500 {
		root := object(`"properties":{"a":` + g.schema(3) + `,"b":` + g.schema(2) + `},"allOf":[` + g.schema(2) +
			`],"unevaluatedProperties":` + g.of("true", "false", `{"type":"string"}`))
		defs := `,"$defs":{"x":` + strings.ReplaceAll(g.schema(2), "$ref", "x-ref") +
			`,"y":{"items":{"$ref":"#/$defs/x"},"maxItems":2},"root":` + root + `}}`
		text := g.of(`{"$id":"https://example.com/x",`+root[1:len(root)-1], `{"$ref":"#/$defs/root"`,
			`{"anyOf":[{"$ref":"#/$defs/root"},{"type":"object","maxProperties":1}]`,
			`{"allOf":[{"minProperties":1},{"$ref":"#/$defs/root"}]`) + defs
		s, err := schema.Parse(text)
		if err != nil {
			continue // too many schemas, or levels
		}
		taken++
		doc, _ := jsonschema.UnmarshalJSON(strings.NewReader(text))
		c := jsonschema.NewCompiler()
		if err := c.AddResource("x.json", doc); err != nil {
			t.Fatal(err)
		}
		plain, err := c.Compile("x.json")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for range 20 {
			reply := g.members(func() string { return g.value(3) })
			var value any
			decoder := json.NewDecoder(strings.NewReader(reply))
			decoder.UseNumber()
			_ = decoder.Decode(&value)
			want := plain.Validate(value)
			if want == nil {
				fits++
			}
			if _, got := s.Check(reply); (got == nil) != (want == nil) {
				t.Fatalf("%s under %s: %v, the library says %v", reply, text, got, want)
			}
		}
	}
	if taken < 300 || fits < 300 {
		t.Errorf("only %d schemas and %d replies that fit", taken, fits)
	}
}
