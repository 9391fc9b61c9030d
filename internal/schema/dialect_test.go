package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"agentchat/internal/schema"
)

// TestGenerators tests that the schemas of Zod 4.6 and Pydantic 2.13 are accepted, and that each is
// checked or says what is not.
func TestGenerators(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/generators.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name                   string
		Schema, Fits, Violates json.RawMessage
	}
	if err := json.Unmarshal(text, &all); err != nil || len(all) < 90 {
		t.Fatalf("%d schemas, %v", len(all), err)
	}
	for _, tc := range all { // two are refused: a character property that RE2 lacks, and a lookahead in a group
		s, err := schema.Parse(string(tc.Schema))
		if refused := map[string]bool{"zod emoji": true, "pydantic condecimal": true}[tc.Name]; (err != nil) != refused {
			t.Errorf("%s: %v", tc.Name, err)
		}
		if err != nil {
			continue
		}
		if _, err := s.Check(string(tc.Fits)); err != nil {
			t.Errorf("%s: %s under %s: %v", tc.Name, tc.Fits, tc.Schema, err)
		}
		if _, err := s.Check(string(tc.Violates)); err == nil && len(s.Notes()) == 0 {
			t.Errorf("%s: %s fits %s", tc.Name, tc.Violates, tc.Schema)
		}
		if _, err := s.Example(t.Context(), "Example"); err != nil {
			t.Errorf("%s: %s: %v", tc.Name, tc.Schema, err)
		}
	}
}

// older returns a random schema of an older version of JSON Schema.
func (g generator) older(depth int) string {
	if depth <= 0 {
		return g.of(`{"type":"string"}`, `{"type":["integer","null"]}`, `{}`, `true`, `false`, `{"minimum":2}`,
			`{"$ref":"#/definitions/x","type":"null"}`, `{"$ref":"#/definitions/y/items/0"}`, `{"const":1}`,
			`{"$ref":"#/definitions/y/additionalItems"}`, `{"$ref":"#/definitions/z/dependencies/b"}`)
	}
	sub := func() string { return g.older(depth - 1) }
	subs := func() string { return `[` + list(1+g.IntN(2), func(int) string { return sub() }) + `]` }
	all := map[string]string{}
	for range 1 + g.IntN(4) {
		switch keyword := g.of("properties", "items", "items", "additionalItems", "additionalItems", "allOf", "anyOf",
			"oneOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "prefixItems", "required", "$ref",
			"additionalProperties", "dependencies", "dependencies", "dependentRequired", "dependentSchemas",
			"unevaluatedProperties", "definitions", "$defs"); keyword {
		case "properties", "dependentSchemas", "definitions", "$defs":
			all[keyword] = g.members(sub)
		case "dependencies":
			all[keyword] = g.members(func() string { return g.of(`["a"]`, `["b","c"]`, `[]`, sub()) })
		case "dependentRequired":
			all[keyword] = g.members(func() string { return g.of(`["a"]`, `["c"]`) })
		case "allOf", "anyOf", "oneOf", "prefixItems":
			all[keyword] = subs()
		case "items":
			all[keyword] = g.of(subs(), sub())
		case "minContains", "maxContains":
			all[keyword] = g.of("0", "1", "2")
		case "required":
			all[keyword] = `["a"]`
		case "$ref":
			all[keyword] = `"#/definitions/x"`
		default:
			all[keyword] = sub()
		}
	}
	return encoded(all)
}

func encoded(members map[string]string) string {
	raw := map[string]json.RawMessage{}
	for name, value := range members {
		raw[name] = json.RawMessage(value)
	}
	text, _ := json.Marshal(raw)
	return string(text)
}

// TestOlderDialects tests that schemas of older versions accept what the library accepts under the
// version that they name.
func TestOlderDialects(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	fits, taken := 0, 0
	for i := range 500 {
		name := g.of("http", "https") + "://json-schema.org/" + g.of("draft-07/schema", "draft/2019-09/schema") + g.of("", "#")
		text := `{"$schema":"` + name + `","type":"object","properties":{"a":` + g.older(3) + `,"b":` + g.older(2) +
			`},"allOf":[` + g.older(2) + `],"definitions":{"x":{"type":["integer","array"],"items":[{"type":"integer"}]},` +
			`"y":{"items":[{"type":"string"},{}],"additionalItems":{"maximum":1}},"z":{"dependencies":{"b":{"required":["c"]},"a":["b"]}}}}`
		s, err := schema.Parse(text)
		if err != nil {
			if !strings.Contains(err.Error(), "more than") {
				t.Fatalf("%d, %s: %v", i, text, err)
			}
			continue
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
			value, _ := jsonschema.UnmarshalJSON(strings.NewReader(reply))
			want := plain.Validate(value)
			if want == nil {
				fits++
			}
			if _, got := s.Check(reply); (got == nil) != (want == nil) {
				t.Fatalf("%s under %s: %v, the library says %v", reply, text, got, want)
			}
		}
	}
	if taken < 300 || fits < 150 {
		t.Errorf("only %d schemas and %d replies that fit", taken, fits)
	}
}

// TestLookaheads tests that a pattern with lookaheads accepts the texts whose start, lookaheads and
// rest match one by one.
func TestLookaheads(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	matches := func(pattern, text string) bool { return regexp.MustCompile("^(?:" + pattern + ")").MatchString(text) }
	fits := 0
	for range 1000 {
		before, rest := g.of("", "", "a", `\.`, "[ab]", "a{2}", "(b)a", "."), g.of("", "[abc]*$", "b?a", "(a|b)+", "(?:b|.a)$", ".*")
		pattern, wants := "^"+before, func(text string) bool { return matches(rest, text) }
		for range 1 + g.IntN(2) {
			kind, inner := g.of("=", "!"), g.of("b", ".*b", "[ab]$", "b|a", "a+$", `(a|[|)(])\.`, "$")
			pattern += "(?" + kind + inner + ")"
			also := wants
			wants = func(text string) bool { return also(text) && matches(inner, text) == (kind == "=") }
		}
		quoted, _ := json.Marshal(pattern + rest)
		s := parse(t, property(`{"pattern":`+string(quoted)+`}`))
		for range 20 {
			text := ""
			for range g.IntN(6) {
				text += g.of("a", "b", "c", ".", "|")
			}
			start := regexp.MustCompile("^(?:" + before + ")").FindString(text)
			want := matches(before, text) && wants(text[len(start):]) && utf8.ValidString(text)
			if want {
				fits++
			}
			if _, err := s.Check(`{"a":"` + text + `"}`); (err == nil) != want {
				t.Fatalf("%q under %s: %v, want %t", text, quoted, err, want)
			}
		}
		if _, err := s.Check(`{"a":1}`); err != nil {
			t.Fatalf("a number under %s: %v", quoted, err)
		}
	}
	if fits < 500 {
		t.Errorf("only %d texts fit", fits)
	}
	for _, pattern := range []string{`(?=a)b`, `^(?=a)b|c`, `^a*(?=b)`, `^(?=a)*b`, `^(a(?=b))`, `^(?i)(?=a)b`, `^[]a](?=b)c`, `^(?=(?!a)b)c`, `^(?=a){0}b`} {
		if _, err := schema.Parse(property(`{"pattern":"` + pattern + `"}`)); err == nil {
			t.Errorf("%s is accepted", pattern)
		}
	}
}

// TestNullable tests that nullable accepts null besides what a schema accepts.
func TestNullable(t *testing.T) {
	t.Parallel()
	g := generator{rand.New(rand.NewPCG(rand.Uint64(), 0))}
	for range 200 {
		members := map[string]string{"type": g.of(`"string"`, `"integer"`, `["array","null"]`, `["object","string"]`)}
		for range g.IntN(3) {
			switch keyword := g.of("enum", "minLength", "maximum", "maxItems", "required"); keyword {
			case "enum":
				members[keyword] = `[` + g.value(1) + `,` + g.value(1) + `]`
			case "required":
				members[keyword] = `["a"]`
			default:
				members[keyword] = "1"
			}
		}
		plain := parse(t, property(`{"anyOf":[{"type":"null"},`+encoded(members)+`]}`))
		members["nullable"] = "true"
		s := parse(t, property(encoded(members)))
		for range 20 {
			reply := `{"a":` + g.value(2) + `}`
			_, want := plain.Check(reply)
			if _, got := s.Check(reply); (got == nil) != (want == nil) {
				t.Fatalf("%s under %s: %v, want %v", reply, s.Text(), got, want)
			}
		}
	}
}

// TestRewritten tests the other rewritings: what they accept, what they refuse, and what providers
// get. Places of faults are those of the text.
func TestRewritten(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ schema, fits, violates, sent string }{
		// Roots.
		{`{"$ref":"#/$defs/a","title":"t","$defs":{"a":{"type":"object","title":"u","required":["b"]}}}`, `{"b":1}`, `{}`, `{"title":"t","type":"object","required":["b"]}`},
		{`{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},"b":{"type":"object","properties":{"c":{"$ref":"#/definitions/c"}}},"c":{"type":"null"}}}`, `{"c":null}`, `{"c":1}`,
			`{"$defs":{"c":{"type":"null"}},"type":"object","properties":{"c":{"$ref":"#/$defs/c"}}}`},
		{`{"anyOf":[{"type":"object","required":["b"]},{"$ref":"#/$defs/a"}],"$defs":{"a":{"type":"object","required":["c"]}}}`, `{"c":1}`, `{}`,
			`{"anyOf":[{"type":"object","required":["b"]},{"$ref":"#/$defs/a"}],"$defs":{"a":{"type":"object","required":["c"]}}}`},
		{`{"allOf":[{"required":["b"]},{"type":["object"]}]}`, `{"b":1}`, `{}`, `{"type":"object","allOf":[{"required":["b"]},{"type":["object"]}]}`},
		{`{"type":["object"],"required":["b"]}`, `{"b":1}`, `{}`, `{"type":"object","required":["b"]}`},
		// OpenAPI.
		{property(`{"type":"string","nullable":true}`), `{"a":null}`, `{"a":1}`, property(`{"type":["string","null"]}`)},
		{property(`{"type":["string","null"],"enum":["x",null],"nullable":true}`), `{"a":null}`, `{"a":"y"}`, property(`{"type":["string","null"],"enum":["x",null]}`)},
		{property(`{"enum":["x"],"nullable":true}`), `{"a":null}`, `{"a":"y"}`, property(`{"enum":["x",null]}`)},
		{property(`{"const":"x","nullable":true}`), `{"a":null}`, `{"a":"y"}`, property(`{"enum":["x",null]}`)},
		{property(`{"type":"string","nullable":false}`), `{"a":"x"}`, `{"a":null}`, property(`{"type":"string"}`)},
		// Older versions.
		{`{"$schema":"http://json-schema.org/draft-07/schema","type":"object","properties":{"a":{"items":[{"type":"null"}],"additionalItems":{"$ref":"#/properties/a/items/0"}}}}`, `{"a":[null,null]}`, `{"a":[null,1]}`,
			property(`{"prefixItems":[{"type":"null"}],"items":{"$ref":"#/properties/a/prefixItems/0"}}`)},
		{`{"$schema":"http://json-schema.org/draft-07/schema","type":"object","dependencies":{"a":["b"],"b":{"required":["c"]}}}`, `{"a":1,"b":1,"c":1}`, `{"b":1}`,
			`{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"required":["c"]}}}`},
		// Patterns and formats.
		{property(`{"format":"date","pattern":"^(\\d+)(?<!0)$"}`), `{"a":"2026-02-28"}`, `{"a":"2026-02-30"}`, property(`{"format":"date","pattern":"^(\\d+)(?<!0)$"}`)},
	} {
		s := parse(t, tc.schema)
		if _, err := s.Check(tc.fits); err != nil {
			t.Errorf("%s does not fit %s: %v", tc.fits, tc.schema, err)
		}
		if _, err := s.Check(tc.violates); err == nil {
			t.Errorf("%s fits %s", tc.violates, tc.schema)
		}
		got := schema.Reduce(tc.schema, func(keyword string) bool { return keyword != "$schema" })
		if got.Text != tc.sent || got.Object == strings.Contains(tc.schema, "anyOf") {
			t.Errorf("%s: sent %+v", tc.schema, got)
		}
	}
	for text, want := range map[string]string{
		"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\n\"items\":[{},\n{\"type\":1}]}":        "Line 3, /items/1/type:",
		"{\"$ref\":\"#/definitions/a\",\n\"definitions\":{\"a\":{\"type\":\"object\",\n\"minProperties\":-1}}}":                "Line 3, /definitions/a/minProperties:",
		"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"dependencies\":{\n\"a\":{\"not\":1}}}": "Line 2, /dependencies/a/not:",
		"{\"type\":\"object\",\n\"requird\":[\"a\"]}":                                                                          "Line 2, /requird: Unknown keyword requird. Did you mean required?",
		`{"type":"object","items":{"$ref":"#/definitions/b"},"definitions":{"a":{}}}`:                                          "There is nothing at #/definitions/b.",
		`{"type":"object","additional_properties":false}`:                                                                      "Did you mean additionalProperties?",
		`{"type":"object","proprties":{}}`:                                                                                     "Did you mean properties?",
		`{"name":"reply","strict":true,"schema":{"type":"object"}}`:                                                            `Paste only what stands under "schema".`,
		`{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"}}}`:                                     `Paste only what stands under "schema".`,
		`{"type":"function","function":{"name":"wait","parameters":{"type":"object"}}}`:                                        `Paste only what stands under "parameters".`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}}}`:                         "A schema cannot contain itself",
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","contains":{},"unevaluatedItems":false}`:    "has changed since 2019-09",
	} {
		if _, err := schema.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestNotes tests that a schema says, in order, what of it is not checked.
func TestNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		order: "9 /$defs/line/properties/sku/format The format is not checked.",
		"{\"type\":\"object\",\n\"x-b\":1,\"example\":{},\"properties\":{\n\"a\":{\"contentEncoding\":\"base64\",\"default\":1,\"title\":\"t\"}}}": "2 /x-b The keyword is unknown.; " +
			"2 /example The keyword is unknown.; 3 /properties/a/contentEncoding The content is not checked.",
		property(`{"format":"date","pattern":"(a)\\1"}`):            "1 /properties/a/pattern The pattern is not checked, but the format is. The model gets both.",
		object(`"properties":{"a":{"anyOf":[{}],"nullable":true}}`): `1 /properties/a/nullable Without type, nullable says nothing. Write anyOf with {"type": "null"}.`,
		`{"$schema":"http://json-schema.org/draft-07/schema","type":"object","definitions":{"a":{"$ref":"#/definitions/b","minimum":1},"b":{"prefixItems":[{}]}}}`: "1 /definitions/a/minimum Next to $ref, draft-07 ignores this keyword.; " +
			"1 /definitions/b/prefixItems This keyword is newer than the version in $schema.",
		object(`"title":"t"`): "",
	} {
		var got []string
		for _, note := range parse(t, text).Notes() {
			got = append(got, fmt.Sprintf("%d %s %s", note.Line, note.Path, note.Message))
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%s: %s, want %s", text, all, want)
		}
	}
	if many := parse(t, `{"type":"object",`+list(150, func(i int) string { return `"x-` + number(i) + `":1` })+`}`).Notes(); len(many) != 100 {
		t.Errorf("%d notes", len(many))
	}
}
