package schema_test

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/schema"
)

// object is the schema of an object with more keywords, and property that of an object with one
// property.
func object(more string) string { return `{"type":"object",` + more + `}` }
func property(of string) string { return object(`"properties":{"a":` + of + `}`) }

// nested repeats an opening and a closing n times around a text.
func nested(n int, opening, inner, closing string) string {
	return strings.Repeat(opening, n) + inner + strings.Repeat(closing, n)
}

// list returns n texts separated by commas.
func list(n int, text func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = text(i)
	}
	return strings.Join(all, ",")
}

func same(text string) func(int) string { return func(int) string { return text } }

func number(i int) string { return strconv.Itoa(i + 10) }

// The limits of one call. A machine without other load needs a fiftieth of the time; the rest is
// for parallel tests and the race detector.
const (
	mostTime   = 5 * time.Second
	mostMemory = 50 << 20
)

// bounded calls f, and fails the test if it exceeds the limits.
func bounded(t *testing.T, name string, f func()) {
	t.Helper()
	shortest, bytes := time.Hour, uint64(0)
	for range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		f()
		shortest = min(shortest, time.Since(began))
		runtime.ReadMemStats(&after)
		if bytes = after.TotalAlloc - before.TotalAlloc; shortest <= mostTime && bytes <= mostMemory {
			break
		}
	}
	if shortest > mostTime || bytes > mostMemory {
		t.Errorf("%s: %s, %d KiB", name, shortest, bytes>>10)
	}
	if shortest > 50*time.Millisecond || bytes > 20<<20 {
		t.Logf("%s: %s, %d KiB", name, shortest.Round(time.Millisecond), bytes>>10)
	}
}

type hostile struct{ name, schema, path, message string }

// refused returns schemas that must be refused.
func refused() []hostile {
	deep, large := "levels deep", "more than 500"
	out := []hostile{
		{"enums by reference", object(`"allOf":[` + list(7, same(`{"$ref":"#/$defs/x"}`)) + `],"$defs":{"x":{"enum":[` + list(1500, number) + `]}}`), "", "more than 10000 values"},
		{"empty", "", "", "not JSON"}, {"a text", `"x"`, "", "must describe"}, {"a list", `[]`, "", "must describe"}, {"true", `true`, "", "must describe"},
		{"null", `null`, "", "must describe"}, {"no type", `{}`, "", "must describe"}, {"anyOf at the root", `{"anyOf":[{"type":"object"},{"type":"null"}]}`, "", "must describe"},
		{"a reference to a list at the root", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"array"}}}`, "", "must describe"}, {"types at the root", `{"type":["object","null"]}`, "", "must describe"},
		{"an array", `{"type":"array"}`, "", "must describe"}, {"two values", `{"type":"object"} {}`, "", "more text after"}, {"cut", `{"type":"object"`, "", "Line 1, column 17"},
		{"a comma", "{\n \"type\":\"object\",\n}", "", "Line 2, column 17"}, {"a name twice", `{"type":"object","type":"object"}`, "/type", "twice"}, {"NaN", `{"type":"object","minProperties":NaN}`, "", "not JSON"},
		{"invalid UTF-8", "{\"type\":\"object\",\"title\":\"\xff\"}", "", "not JSON"}, {"half a character", `{"type":"object","title":"\ud800"}`, "", "not JSON"},
		{"a byte-order mark", "\ufeff{\"type\":\"object\"}", "", "not JSON"}, {"too large", object(`"title":"` + strings.Repeat("a", schema.MaxBytes) + `"`), "", "16 KiB"},
		{"a large number", property(`{"maximum":1e309}`), "/properties/a/maximum", "float64"}, {"a tiny number", property(`{"const":1e-400}`), "/properties/a/const", "float64"},
		{"a huge number", property(`{"default":1e30000000}`), "/properties/a/default", "float64"}, {"a long number", property(`{"enum":[0.` + strings.Repeat("1", 1100) + `]}`), "/properties/a/enum/0", "float64"},
		{"deep values", property(`{"const":` + nested(70, "[", "", "]") + `}`), "", "64 levels"}, {"very deep values", property(`{"x":` + nested(4000, "[", "", "]") + `}`), "", "64 levels"},
		{"an old dialect", `{"type":"object","$schema":"http://json-schema.org/draft-04/schema#"}`, "/$schema", "2020-12"}, {"two dialects", `{"$schema":"http://json-schema.org/draft-07/schema","type":"object","not":{"$schema":"https://json-schema.org/draft/2019-09/schema"}}`, "/not/$schema", "2020-12"}, {"another dialect inside", property(`{"$schema":"https://example.com"}`), "/properties/a/$schema", "2020-12"},
		{"properties as a list", object(`"properties":["a"]`), "/properties", "object of schemas"}, {"a property as a text", property(`"string"`), "/properties/a", "must be an object"},
		{"a property as null", property(`null`), "/properties/a", "must be an object"}, {"items as a list", property(`{"items":[{}]}`), "/properties/a/items", "prefixItems"},
		{"exclusiveMinimum as a flag", property(`{"exclusiveMinimum":true}`), "/properties/a/exclusiveMinimum", "number"}, {"required as a flag", property(`{"required":true}`), "/properties/a/required", "list of different names"},
		{"dependentRequired as a list", property(`{"dependentRequired":[]}`), "/properties/a/dependentRequired", "object of lists"}, {"dependentRequired of texts", property(`{"dependentRequired":{"a":"b"}}`), "/properties/a/dependentRequired", "object of lists"},
		{"no step", property(`{"multipleOf":0}`), "/properties/a/multipleOf", "above 0"}, {"a step back", property(`{"multipleOf":-1}`), "/properties/a/multipleOf", "above 0"},
		{"an unknown type", property(`{"type":"str"}`), "/properties/a/type", "must be object, array"}, {"a type twice", property(`{"type":["null","null"]}`), "/properties/a/type", "must be object, array"},
		{"no type in the list", property(`{"type":[]}`), "/properties/a/type", "must be object, array"}, {"an object as type", property(`{"type":[{}]}`), "/properties/a/type", "must be object, array"},
		{"an unused fault", object(`"$defs":{"x":{"type":1}}`), "/$defs/x/type", "must be object, array"}, {"definitions", object(`"definitions":{"x":{"pattern":"("}}`), "/definitions/x/pattern", "not a valid regular expression"},
		{"itself", `{"type":"object","allOf":[{"$ref":"#"}]}`, "/allOf/0/$ref", "itself"}, {"a tree", object(`"$defs":{"n":{"properties":{"n":{"$ref":"#/$defs/n"}}}},"properties":{"a":{"$ref":"#/$defs/n"}}`), "/$defs/n/properties/n/$ref", "itself"},
		{"two in a circle", object(`"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"items":{"$ref":"#/$defs/x"}}}`), "/$defs/y/items/$ref", "itself"}, {"the property itself", property(`{"$ref":"#/properties/a"}`), "/properties/a/$ref", "itself"},
		{"around", property(`{"items":{"$ref":"#/properties/a"}}`), "/properties/a/items/$ref", "itself"}, {"from inside", object(`"properties":{"a":{"$ref":"#/properties/b/items"},"b":{"items":{"not":{"$ref":"#/properties/b"}}}}`), "", "itself"},
		{"nothing there", property(`{"$ref":"#/$defs/x"}`), "/properties/a/$ref", "nothing at #/$defs/x"}, {"no schema there", object(`"properties":{"a":{"$ref":"#/required"}},"required":["a"]`), "/required", "must be an object"},
		{"past the list", object(`"allOf":[{}],"properties":{"a":{"$ref":"#/allOf/1"}}`), "/properties/a/$ref", "nothing at"}, {"an odd number", object(`"allOf":[{}],"properties":{"a":{"$ref":"#/allOf/00"}}`), "/properties/a/$ref", "nothing at"},
		{"a reference inside an $id", property(`{"$id":"x","items":{"$ref":"#/$defs/x"}}`), "/properties/a/items/$ref", "$id"}, {"a bad escape", property(`{"$ref":"#/%zz"}`), "/properties/a/$ref", "must point into"},
		{"a dynamic reference", property(`{"$dynamicRef":"#a"}`), "/properties/a/$dynamicRef", "Write $ref"}, {"a recursive reference", property(`{"$recursiveRef":"#"}`), "/properties/a/$recursiveRef", "Write $ref"},
		{"16 levels too many", object(`"properties":{"a":` + nested(30, `{"items":`, `{}`, `}`) + `}`), "/properties/a" + strings.Repeat("/items", 15), deep},
		{"17 levels", object(`"not":` + nested(15, `{"not":`, `{}`, `}`)), strings.Repeat("/not", 16), deep}, {"levels by references", levelsByReferences(17), "", deep},
		{"501 schemas", object(`"allOf":[` + list(500, same(`{}`)) + `]`), "", large}, {"references that double", doubling(9), "", large}, {"references that double 250 times", doubling(250), "", ""},
		{"a bomb of allOf", bomb("allOf", 8), "", large}, {"a bomb of anyOf", bomb("anyOf", 8), "", large}, {"a bomb of properties", bomb("properties", 8), "", large},
		{"a chain of 520 references", chain(520), "", large}, {"2,000 properties", object(`"properties":{` + list(1500, func(i int) string { return `"` + strconv.Itoa(i) + `":{}` }) + `}`), "", large},
	}
	for _, keyword := range []string{"not", "if", "then", "else", "additionalProperties",
		"unevaluatedProperties", "propertyNames", "items", "contains", "unevaluatedItems"} {
		out = append(out, hostile{keyword + " as a text", property(`{"` + keyword + `":"x"}`),
			"/properties/a/" + keyword, "must be an object"},
			hostile{keyword + " 40 levels deep",
				object(`"` + keyword + `":` + nested(40, `{"`+keyword+`":`, `{}`, `}`)),
				strings.Repeat("/"+keyword, 16), deep},
			hostile{keyword + " of a bad schema", property(`{"` + keyword + `":{"type":"x"}}`),
				"/properties/a/" + keyword + "/type", "must be object"})
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		out = append(out, hostile{keyword + " of nothing", property(`{"` + keyword + `":[]}`),
			"/properties/a/" + keyword, "at least one schema"},
			hostile{keyword + " as an object", property(`{"` + keyword + `":{}}`),
				"/properties/a/" + keyword, "at least one schema"},
			hostile{keyword + " of a text", property(`{"` + keyword + `":[{},"x"]}`),
				"/properties/a/" + keyword + "/1", "must be an object"},
			hostile{keyword + " deep",
				object(`"` + keyword + `":` + nested(25, `[{"`+keyword+`":`, `[{}]`, `}]`)),
				strings.Repeat("/"+keyword+"/0", 16), deep})
	}
	for _, keyword := range []string{"minLength", "maxLength", "minItems", "maxItems", "minContains",
		"maxContains", "minProperties", "maxProperties"} {
		for _, value := range []string{"-1", "1.5", `"1"`, "null", "true"} {
			out = append(out, hostile{keyword + " " + value, property(`{"` + keyword + `":` + value + `}`),
				"/properties/a/" + keyword, "whole number"})
		}
	}
	for _, keyword := range []string{"maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"} {
		for _, value := range []string{`"1"`, "null", "[]"} {
			out = append(out, hostile{keyword + " " + value, property(`{"` + keyword + `":` + value + `}`),
				"/properties/a/" + keyword, "must be a number"})
		}
	}
	for _, keyword := range []string{"title", "description", "format", "pattern", "$id", "$anchor",
		"$comment", "$ref", "contentEncoding"} {
		out = append(out, hostile{keyword + " as a number", property(`{"` + keyword + `":1}`),
			"/properties/a/" + keyword, "must be a string"})
	}
	for _, keyword := range []string{"uniqueItems", "deprecated", "readOnly", "writeOnly"} {
		out = append(out, hostile{keyword + " as a text", property(`{"` + keyword + `":"true"}`),
			"/properties/a/" + keyword, "true or false"})
	}
	for _, keyword := range []string{"enum", "examples"} {
		out = append(out, hostile{keyword + " as a text", property(`{"` + keyword + `":"x"}`),
			"/properties/a/" + keyword, "must be a list"})
	}
	for _, ref := range []string{"http://127.0.0.1/x", "https://example.com/schema",
		"file:///etc/passwd", "/etc/passwd", "other.json#/a", "#anchor", "urn:x", "", "//x", "#a/b", "schema:reply"} {
		out = append(out, hostile{"a reference to " + ref, property(`{"$ref":"` + ref + `"}`),
			"/properties/a/$ref", "must point into"})
	}
	for _, p := range []struct{ pattern, message string }{
		{"(?=a)b", "the lookaround"}, {"(?!a)b", "the lookaround"}, {"(?<=a)b", "the lookaround"}, {"(?<!a)b", "the lookaround"}, {`(a)\\1`, "escape"}, {`\\u00e9`, "Write"}, {"(", "not a valid regular expression"},
		{"a{101}", "more than 100"}, {"a{1000}", "more than 100"}, {"a{0,101}", "more than 100"}, {"(a{11}){11}", "more than 100"}, {"((a{5}){5}){5}", "more than 100"}, {"a{2000}", "more than 100"},
		{"[a-z]{1000}!", "more than 100"}, {"((((a{9}){9}){9}){9}){9}", "more than 100"}, {nested(120, "(", "", ")"), ""}, {"[z-a]", "not a valid regular expression"},
		{"*", "not a valid regular expression"}, {`\\`, "not a valid regular expression"}, {"(?P<a", "not a valid regular expression"}, {`\\p{Nobody}`, "not a valid regular expression"},
	} {
		if p.message != "" {
			out = append(out, hostile{"the pattern " + p.pattern,
				property(`{"pattern":"` + p.pattern + `"}`), "/properties/a/pattern", p.message},
				hostile{"names by the pattern " + p.pattern,
					object(`"patternProperties":{"` + p.pattern + `":{}}`), "", p.message})
		}
	}
	out = append(out, hostile{"a long pattern", property(`{"pattern":"` + strings.Repeat("é", 4097) + `"}`), "/properties/a/pattern", "4096"})
	return append(out, hostile{"60 large patterns",
		object(`"properties":{` + list(55, func(i int) string {
			return fmt.Sprintf(`"%d":{"pattern":"(%d%s){100}"}`, i, i, strings.Repeat("[a-z]", 46))
		}) + `}`), "", "are too large"})
}

// levelsByReferences is a schema in which each definition is one level above the next.
func levelsByReferences(n int) string {
	return object(`"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{` + list(n, func(i int) string {
		return fmt.Sprintf(`"%d":{"items":{"$ref":"#/$defs/%d"}}`, i, i+1)
	}) + fmt.Sprintf(`,"%d":{}}`, n))
}

// doubling is a schema in which each definition contains the next one twice.
func doubling(n int) string {
	return object(`"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{` + list(n, func(i int) string {
		return fmt.Sprintf(`"%d":{"$ref":"#/$defs/%d","not":{"$ref":"#/$defs/%d"}}`, i, i+1, i+1)
	}) + fmt.Sprintf(`,"%d":{}}`, n))
}

// chain is a schema of n references in a row.
func chain(n int) string {
	return object(`"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{` + list(n, func(i int) string {
		return fmt.Sprintf(`"%d":{"$ref":"#/$defs/%d"}`, i, i+1)
	}) + fmt.Sprintf(`,"%d":{}}`, n))
}

// bomb is a schema of n definitions, each with ten references to the next one.
func bomb(keyword string, n int) string {
	each := func(i int) string {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/%d"}`, i+1)
		if keyword == "properties" {
			return `{` + list(10, func(j int) string { return fmt.Sprintf(`"%d":%s`, j, ref) }) + `}`
		}
		return `[` + list(10, same(ref)) + `]`
	}
	return object(`"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{` + list(n, func(i int) string {
		return fmt.Sprintf(`"%d":{"%s":%s}`, i, keyword, each(i))
	}) + fmt.Sprintf(`,"%d":{}}`, n))
}

// TestRefused shows that each hostile schema is refused quickly, with its place and a sentence.
func TestRefused(t *testing.T) {
	all := refused()
	if len(all) < 150 {
		t.Errorf("%d schemas", len(all))
	}
	for _, tc := range all {
		var err error
		bounded(t, tc.name, func() { _, err = schema.Parse(tc.schema) })
		problem, ok := errors.AsType[*schema.RefusedError](err)
		if !ok || !strings.Contains(problem.Error(), tc.message) ||
			tc.path != "" && problem.Path != tc.path ||
			!strings.HasSuffix(problem.Message, ".") || len(problem.Error()) > 600 {
			t.Errorf("%s (%.100s): %v; want %q at %q", tc.name, tc.schema, err, tc.message, tc.path)
		}
	}
}

// TestRefusedLine shows that a refusal contains the line, the place and a sentence.
func TestRefusedLine(t *testing.T) {
	for text, want := range map[string]string{
		"{\"type\": \"object\",\n \"properties\": {\n  \"a\": {\"minLength\": -1}}}": "Line 3, /properties/a/minLength: This must be a whole number, at least 0.",
		"{\"type\": \"object\",\n \"allOf\": [{},\n 1]}":                             "Line 3, /allOf/1: A schema must be an object, or true or false.",
		"{\n":               "Line 2, column 1: This is not JSON.",
		`{"type": "array"}`: `The schema must describe an object. It must begin like {"type": "object", …}.`,
	} {
		if _, err := schema.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestLargestSchemas shows that the largest valid schemas are accepted quickly.
func TestLargestSchemas(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		nodes        int
	}{
		{"16 levels", object(`"not":` + nested(14, `{"not":`, `{}`, `}`)), 16}, {"500 schemas", object(`"allOf":[` + list(499, same(`{}`)) + `]`), 500},
		{"levels by references", levelsByReferences(14), 31}, {"a chain of 497 references", chain(497), 500}, {"references that double 7 times", doubling(7), 384},
		{"a pattern of 4,096 characters", property(`{"pattern":"` + strings.Repeat("é", 4096) + `"}`), 2}, {"a pattern of 100 times 10", property(`{"pattern":"^([a-z]{10}){10}$"}`), 2},
		{"unused definitions", object(`"$defs":{` + list(1000, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `}`), 1},
		{"a large enum", property(`{"enum":[` + list(4000, same("1")) + `]}`), 2}, {"large texts", object(`"description":"` + strings.Repeat("a", schema.MaxBytes-40) + `"`), 1},
		{"lookaheads", property(`{"pattern":"^` + strings.Repeat("[ab](?=[ab]{4})", 16) + `"}`), 19}, {"100 lookaheads in groups", property(`{"format":"date","pattern":"` + strings.Repeat("(a(?=b))", 500) + `"}`), 2},
		{"unknown keywords", object(list(1400, func(i int) string { return fmt.Sprintf(`"x%d":1`, i) })), 1},
		{"deep values", property(`{"default":` + nested(60, "[", "", "]") + `}`), 2}, {"12 large patterns", object(`"properties":{` + list(12, func(i int) string {
			return fmt.Sprintf(`"%d":{"pattern":"(%d%s){100}"}`, i, i, strings.Repeat("a", 10))
		}) + `}`), 13},
	} {
		var s *schema.Schema
		var err error
		bounded(t, tc.name, func() { s, err = schema.Parse(tc.schema) })
		if err != nil || s.Nodes() != tc.nodes {
			t.Errorf("%s: %v, %v schemas, want %d", tc.name, err, s, tc.nodes)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = schema.Parse(order)
	}
}

func BenchmarkCheck(b *testing.B) {
	b.ReportAllocs()
	s, _ := schema.Parse(order)
	reply := `{"id":"A-1","lines":[` + list(5, same(`{"sku":"9f2c4d1e-7a","count":2,"price":19.99}`)) +
		`]}`
	for b.Loop() {
		if _, err := s.Check(reply); err != nil {
			b.Fatal(err)
		}
	}
}
