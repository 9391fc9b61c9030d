package schema_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/schema"
)

func parse(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Parse(text)
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return s
}

const order = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/order","type":"object",
	"title":"Order","additionalProperties":false,"required":["id","lines"],
	"properties":{
		"id":{"type":"string","pattern":"^[A-Z]-[0-9]{1,9}$","description":"as on the bill"},
		"state":{"enum":["new","paid",null]},
		"lines":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/line"}},
		"note":{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}]}},
	"patternProperties":{"^x-":{"type":"boolean"}},
	"$defs":{"line":{"type":"object","properties":{"sku":{"type":"string","format":"uuid"},"count":{"type":"integer","minimum":1},
		"price":{"$ref":"#/$defs/money","description":"without tax"}},"required":["sku"],"unevaluatedProperties":false},
		"money":{"type":"number","multipleOf":0.01}}}`

// TestCheck shows that a fitting reply is returned as compact text with its numbers and strings
// unchanged, and that the error of any other names its place and rule, without quoting the reply.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := parse(t, order)
	for _, tc := range []struct{ reply, want string }{
		{`{"id":"A-1","lines":[{"sku":"s"}]}`, `{"id":"A-1","lines":[{"sku":"s"}]}`},
		{" \n{ \"id\": \"A-1\",\t\"lines\" : [ {\"sku\":\"\\u0000\\u00e9é\\/\", \"count\": 6271e0, \"price\":1.10} ] }\r\n",
			`{"id":"A-1","lines":[{"sku":"\u0000\u00e9é\/","count":6271e0,"price":1.10}]}`},
		{"```json\n{\"id\":\"A-1\",\"lines\":[{\"sku\":\"```\"}]}\n```", "{\"id\":\"A-1\",\"lines\":[{\"sku\":\"```\"}]}"},
		{"```JSON {\"id\":\"A-1\",\"lines\":[{\"sku\":\"s\"}]}```  ", `{"id":"A-1","lines":[{"sku":"s"}]}`},
		{"~~~~\n{\"id\":\"A-1\",\"lines\":[{\"sku\":\"s\"}],\"x-a\":true}\n~~~~", `{"id":"A-1","lines":[{"sku":"s"}],"x-a":true}`},
		{`{"id":"A-1","lines":[{"sku":"s"}],"state":null,"note":"12345"}`, `{"id":"A-1","lines":[{"sku":"s"}],"state":null,"note":"12345"}`},

		// In prose, and in a fence anywhere.
		{"\ufeff\u00a0{\"id\":\"A-1\",\"lines\":[{\"sku\":\"}\"}]}\u3000", `{"id":"A-1","lines":[{"sku":"}"}]}`},
		{`For {name}: {"id":"A-1","lines":[{"sku":"s"}]} // {no}`, `{"id":"A-1","lines":[{"sku":"s"}]}`},
		{`{"id":"A-1","lines":[{"sku":"s"}]} or { "lines":[{"sku":"s"}], "id":"A-1" }`, `{"id":"A-1","lines":[{"sku":"s"}]}`},
		{"Not {\"id\":1}, but:\n````json\n{\"id\":\"A-1\",\"lines\":[{\"sku\":\"s\"}]}\n````\nDone.", `{"id":"A-1","lines":[{"sku":"s"}]}`},
		{`{"id":"A-1","lines":[{"sku":"s"}]} {"id":"A-2","lines":[{"sku":"s"}]}`, "not_json"},
		{"```\n{\"id\":1}\n```\n```\n{\"id\":2}\n```", "not_json"},
		{`{"in": {"id":"A-1","lines":[{"sku":"s"}]}`, "not_json"}, {`{"in": {"id":"A-1","lines":[{"sku":"s"}]}, oops}`, "not_json"},
		{"{}{}", "mismatch  required"}, {strings.Repeat("{a}", 80_000) + "{}", "not_json"},

		{`{"lines":[{"sku":"s"}]}`, "mismatch  required"},
		{`{"id":"A-1","lines":[{"count":1}]}`, "mismatch /lines/0 required"},
		{`{"id":"A-1","lines":[{"sku":"s"}],"secret":1}`, "mismatch  additionalProperties"},
		{`{"id":"A-1","lines":[{"sku":"s"},{"sku":"s","secret":1}]}`, "mismatch /lines/1 unevaluatedProperties"},
		{`{"id":"A-1","lines":[{"sku":"s"}],"x-secret":1}`, "mismatch  type"},
		{`{"id":"secret","lines":[{"sku":"s"}]}`, "mismatch /id pattern"},
		{`{"id":"A-1","lines":[]}`, "mismatch /lines minItems"},
		{`{"id":"A-1","lines":[{"sku":"s","count":0}]}`, "mismatch /lines/0/count minimum"},
		{`{"id":"A-1","lines":[{"sku":"s","count":1.5}]}`, "mismatch /lines/0/count type"},
		{`{"id":"A-1","lines":[{"sku":"s","price":0.001}]}`, "mismatch /lines/0/price multipleOf"},
		{`{"id":"A-1","lines":[{"sku":"s"}],"state":"secret"}`, "mismatch /state enum"},
		{`{"id":"A-1","lines":[{"sku":"s"}],"note":"123456"}`, "mismatch /note anyOf"},
		{`{"id":"?","lines":[{"count":0}],"secret":1}`, "mismatch  additionalProperties"},
		{`[]`, "mismatch  type"}, {`"text"`, "mismatch  type"}, {`null`, "mismatch  type"},

		{"", "not_json"},
		{"```json", "not_json"},
		{`{"id":"A-1","id":"A-1"}`, "not_json"}, {`{"id":"A-1","\u0069d":"A-1"}`, "not_json"}, {`{'id':1}`, "not_json"},
		{`{"id":NaN}`, "not_json"}, {`{"id":Infinity}`, "not_json"}, {`{"id":01}`, "not_json"}, {`{"id":+1}`, "not_json"}, {`{"id":1.}`, "not_json"},
		{`{"id":.5}`, "not_json"}, {`{"id":0x1}`, "not_json"}, {`{"id":1,}`, "not_json"}, {`{"id":"a` + "\n" + `b"}`, "not_json"}, {"{\"id\":\"\x00\"}", "not_json"},
		{"{\"id\":\"\xff\"}", "not_json"}, {`{"id":"\ud800"}`, "not_json"}, {`{"id":"\ud800\ud800"}`, "not_json"},
		{`{id:1}`, "not_json"}, {`{"id":1e309}`, "not_json"}, {`{"id":8e+60346}`, "not_json"},
		{`{"id":-1e30000000}`, "not_json"}, {`{"id":1e-30000000}`, "not_json"}, {`{"id":1e-400}`, "not_json"}, {`{"id":1.` + strings.Repeat("0", 1100) + `}`, "not_json"},
		{`{"id":TRUE}`, "not_json"}, {`{"id":undefined}`, "not_json"}, {`{`, "not_json"}, {`{"id":"A-1","lines":[{"sku":"s"}]`, "not_json"},
		{`{"id":` + nested(63, "[", "1", "]") + `,"lines":[{"sku":"s"}]}`, "mismatch /id type"},
		{`{"id":` + nested(64, "[", "1", "]") + `,"lines":[{"sku":"s"}]}`, "not_json"}, {nested(200_000, "[", "", "]"), "length"},
		{nested(100_000, "[", "", "]"), "not_json"}, {nested(40_000, `{"a":`, "1", "}"), "not_json"},
		{`{"note":"` + strings.Repeat("a", schema.MaxReply-11) + `"}`, "mismatch  required"}, {`{"note":"` + strings.Repeat("a", schema.MaxReply-10) + `"}`, "length"},
		{`{"id":"` + strings.Repeat("A", 100_000) + `","lines":[{"sku":"s"}]}`, "mismatch  "},
	} {
		got, err := s.Check(tc.reply)
		if violation, ok := errors.AsType[*schema.Violation](err); ok {
			got = string(violation.Reason)
			if violation.Reason == schema.Mismatch {
				got += " " + violation.Path + " " + violation.Rule
			}
			if strings.Contains(violation.Error(), "secret") {
				t.Errorf("%.80q: the sentence quotes the reply: %s", tc.reply, violation)
			}
		}
		if got != tc.want {
			t.Errorf("%.80q: %.100q, want %q", tc.reply, got, tc.want)
		}
	}
}

// TestPlaceOfAMisfit shows that the error delimits the value that broke the rule, or the place where the reply is no longer JSON.
func TestPlaceOfAMisfit(t *testing.T) {
	t.Parallel()
	s, err := schema.Parse(order)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ reply, at, before string }{
		{`{"lines": [ {"sku":"é"} ] }`, `{"lines": [ {"sku":"é"} ] }`, ""},
		{"```json\n" + `{"id":"A-1","lines":[{"sku":"é"}, {"sku":"s", "count" : 1.5 }]}` + "\n```", "1.5", `t" : `},
		{`{"id":"A-1","lines":[{"sku":"s"},{"count":1}]}`, `{"count":1}`, ","},
		{`{"id":"A-1", "lines": [ ] }`, `[ ]`, `"lines": `},
		{`{"id":"A-1","lines":[{"sku":"s"}],"state":"wrong"}`, `"wrong"`, `"state":`},
		{`{"id":"A-1","id":"A-1"}`, "", `{"id":"A-1",`},
		{`{"id":"A-1","lines":[1e309,2]}`, "", "[1e309"},
		{` {"id":"A-1"} and more`, `{"id":"A-1"}`, " "},
		{`{"id":"A-1"} and {"id":"A-2"}`, "", `"A-1"}`},
		{`{"id":"A-1"`, "", `"A-1"`}, {"", "", ""}, {"no", "", ""},
		{strings.Repeat(" ", schema.MaxReply+1), "", "  "},
	} {
		_, err := s.Check(tc.reply)
		violation, _ := errors.AsType[*schema.Violation](err)
		if violation == nil || tc.reply[violation.Start:violation.End] != tc.at ||
			!strings.HasSuffix(tc.reply[:violation.Start], tc.before) {
			t.Errorf("%.80q: %+v, want %q after %q", tc.reply, violation, tc.at, tc.before)
		}
	}
}

// TestKeywords shows that each keyword of the validation and applicator vocabularies is accepted and checked.
func TestKeywords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ of, fits, violation, rule string }{
		{`{"type":["string","null"]}`, `null`, `1`, "type"}, {`{"type":"integer"}`, `1.0`, `1.5`, "type"}, {`{"const":{"b":[1.0]}}`, `{"b":[1]}`, `{"b":[2]}`, "const"},
		{`{"enum":[1,"a",[],null]}`, `1e0`, `2`, "enum"}, {`{"multipleOf":0.1}`, `0.3`, `0.35`, "multipleOf"}, {`{"maximum":2}`, `2`, `2.1`, "maximum"},
		{`{"exclusiveMaximum":2}`, `1.9`, `2`, "exclusiveMaximum"}, {`{"minimum":2}`, `2`, `1`, "minimum"}, {`{"exclusiveMinimum":2}`, `3`, `2`, "exclusiveMinimum"},
		{`{"maxLength":2}`, `"é𝄞"`, `"abc"`, "maxLength"}, {`{"minLength":2}`, `"ab"`, `"𝄞"`, "minLength"}, {`{"minLength":0,"maxLength":1e30}`, `""`, ``, ""},
		{`{"minLength":1e30}`, `1`, `"a"`, "minLength"}, {`{"pattern":"^a\\.b$"}`, `"a.b"`, `"axb"`, "pattern"}, {`{"maxItems":1}`, `[1]`, `[1,2]`, "maxItems"},
		{`{"minItems":1.0}`, `[1]`, `[]`, "minItems"}, {`{"uniqueItems":true}`, `[1,"1"]`, `[1,1.0]`, "uniqueItems"}, {`{"contains":{"type":"string"}}`, `[1,"a"]`, `[1]`, "contains"},
		{`{"contains":{"type":"string"},"maxContains":1}`, `["a"]`, `["a","b"]`, "maxContains"}, {`{"contains":{"type":"string"},"minContains":2}`, `["a","b"]`, `["a"]`, "minContains"},
		{`{"maxProperties":1}`, `{"b":1}`, `{"b":1,"c":2}`, "maxProperties"}, {`{"minProperties":1}`, `{"b":1}`, `{}`, "minProperties"}, {`{"required":["b"]}`, `{"b":1}`, `{}`, "required"},
		{`{"dependentRequired":{"b":["c"]}}`, `{"c":1}`, `{"b":1}`, "dependentRequired"}, {`{"dependentSchemas":{"b":{"required":["c"]}}}`, `{"b":1,"c":1}`, `{"b":1}`, "required"},
		{`{"propertyNames":{"maxLength":1}}`, `{"b":1}`, `{"secret":1}`, "propertyNames"}, {`{"additionalProperties":{"type":"string"}}`, `{"b":"x"}`, `{"b":1}`, "type"},
		{`{"patternProperties":{"^b":false}}`, `{"a":1}`, `{"b":1}`, "patternProperties"}, {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a"]`, `["a",1]`, "items"},
		{`{"allOf":[{"minimum":1},{"maximum":2}]}`, `1`, `3`, "maximum"}, {`{"oneOf":[{"minimum":1},{"maximum":2}]}`, `3`, `1`, "oneOf"}, {`{"not":{"type":"string"}}`, `1`, `"a"`, "not"},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}`, `"ab"`, `1`, "minimum"}, {`{"if":{"type":"string"},"then":{"minLength":2}}`, `1`, `"a"`, "minLength"},
		{`{"prefixItems":[true],"unevaluatedItems":false}`, `[1]`, `[1,2]`, "unevaluatedItems"}, {`{"anyOf":[{"properties":{"b":true}}],"unevaluatedProperties":false}`, `{"b":1}`, `{"c":1}`, "unevaluatedProperties"},
		{`{"$ref":"#/$defs/x","minimum":2}`, `4`, `3`, "multipleOf"}, {`{"$ref":"#/$defs/x","minimum":2}`, `4`, `0`, "minimum"}, {`{"$ref":"#/%24defs/a~1b"}`, `"s"`, `1`, "type"},
		{`{"$ref":"#/$defs/x","allOf":[{"minimum":2}]}`, `4`, `0`, "minimum"}, {`{"$ref":"#/$defs/no"}`, ``, `1`, "properties"}, {`{"$ref":"#/properties/other/anyOf/1"}`, `5`, `"a"`, "type"},
		{`false`, ``, `1`, "properties"}, {`true`, `1`, ``, ""}, {`{}`, `1`, ``, ""}, {`{"format":"email","contentEncoding":"base64","deprecated":true,"examples":[1],"nullable":false}`, `"x"`, ``, ""},
		{`{"dependencies":{"b":["c"]},"additionalItems":false,"x":{"$ref":"http://a"}}`, `{"b":1}`, ``, ""}, {`{"then":false}`, `1`, ``, ""}, {`{"$id":"x","$anchor":"y","$comment":"z"}`, `1`, ``, ""},
	} {
		s := parse(t, object(`"properties":{"a":`+tc.of+
			`,"other":{"anyOf":[{"type":"string"},{"type":"number"}]}},"$defs":{"x":{"multipleOf":2},"a/b":{"type":"string"},"no":false}`))
		if tc.fits != "" {
			if _, err := s.Check(`{"a":` + tc.fits + `}`); err != nil {
				t.Errorf("%s does not fit %s: %v", tc.fits, tc.of, err)
			}
		}
		if tc.violation != "" {
			_, err := s.Check(`{"a":` + tc.violation + `}`)
			violation, _ := errors.AsType[*schema.Violation](err)
			if violation == nil || violation.Reason != schema.Mismatch || violation.Rule != tc.rule ||
				!strings.HasPrefix(violation.Path, "/a") {
				t.Errorf("%s under %s: %v, expected the rule %s", tc.violation, tc.of, err, tc.rule)
			}
		}
	}
}

// TestReduce shows that the reduced schema keeps the order and only the keywords that the provider knows. Names of properties and values are not keywords.
func TestReduce(t *testing.T) {
	t.Parallel()
	keep := []string{"type", "properties", "required", "items", "$ref", "$defs", "anyOf", "enum"}
	got := schema.Reduce(`{"type":"object","title":"t","properties":{"title":{"type":"string","pattern":"x","minLength":1},"b":{"items":
		{"anyOf":[{"format":"date"},{"enum":[{"title":1}]}]}},"a":{"$ref":"#/$defs/title"}},"$defs":{"title":{"not":{},"type":"null"}},
		"required":["title","b"],"default":{"type":"x"}}`, func(keyword string) bool { return slices.Contains(keep, keyword) })
	const want = `{"type":"object","properties":{"title":{"type":"string"},"b":{"items":{"anyOf":[{},{"enum":[{"title":1}]}]}},` +
		`"a":{"$ref":"#/$defs/title"}},"$defs":{"title":{"type":"null"}},"required":["title","b"]}`
	rules := []schema.Rule{
		{"", "title", `"t"`},
		{"/properties/title", "pattern", `"x"`},
		{"/properties/title", "minLength", "1"},
		{"/properties/b/items/anyOf/0", "format", `"date"`},
		{"/$defs/title", "not", "{}"},
		{"", "default", `{"type":"x"}`},
	}
	if got.Text != want || !slices.Equal(got.Rules, rules) {
		t.Errorf("got  %s\nwant %s, rules %v", got.Text, want, got.Rules)
	}
}

// TestCanonical shows that only white space and the order of names change.
func TestCanonical(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` { "b" : [ 1.0, 1e2 , 12345678901234567890 ], "a":"\u0041\u0000<>é" } `: `{"a":"\u0041\u0000<>é","b":[1.0,1e2,12345678901234567890]}`,
		`[{"b":{"d":1,"c":2},"a":0}]`: `[{"a":0,"b":{"c":2,"d":1}}]`,
		` null `:                      `null`,
		`{"a":1,"a":1}`:               "",
		`{"a":1} {}`:                  "",
		`{"a":1`:                      "",
		"":                            "",
		`"\ud800"`:                    "",
	} {
		given := []byte(text)
		got, err := schema.Canonical(given)
		if string(got) != want || (err == nil) != (want != "") || string(given) != text {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}
