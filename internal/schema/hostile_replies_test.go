package schema_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/schema"
)

// TestHostileReplies shows that a reply that would take too long to check is refused before the
// check, and that no other takes long.
func TestHostileReplies(t *testing.T) {
	inList := func(of string) string { return property(`{"type":"array","items":` + of + `}`) }
	ones := func(one string) func(n int) string {
		return func(n int) string { return `{"a":[` + list(n, same(one)) + `]}` }
	}
	text := func(n int) string { return `{"a":"` + strings.Repeat("a", n) + `"}` }
	members := func(n int) string {
		return `{` + list(n, func(i int) string { return fmt.Sprintf(`"%d":1`, i) }) + `}`
	}
	for _, tc := range []struct {
		name, schema string
		reply        func(n int) string
	}{
		{"400 alternatives", inList(`{"anyOf":[` + list(400, func(i int) string { return `{"const":` + number(i) + `}` }) + `]}`), ones("1")},
		{"490 alternatives by type", inList(`{"anyOf":[` + list(490, same(`{"type":"null"}`)) + `]}`), ones("{}")},
		{"400 that exclude each other", inList(`{"oneOf":[` + list(400, same(`{"minimum":5}`)) + `]}`), ones("1")}, {"wrong types", inList(`{"type":"string"}`), ones("1")},
		{"bounds of numbers", inList(`{"minimum":5,"maximum":0,"multipleOf":7,"exclusiveMinimum":3}`), ones("1")}, {"large numbers", inList(`{"minimum":5,"maximum":0,"multipleOf":1e-300}`), ones("1.7e308")},
		{"tiny numbers", inList(`{"multipleOf":1.7e308,"type":"integer"}`), ones("1.7e-308")}, {"long numbers", inList(`{"minimum":5,"multipleOf":7}`), ones("1." + strings.Repeat("3", 1000))},
		{"an enum of numbers", inList(`{"enum":[` + list(2000, number) + `]}`), ones("1")}, {"an enum of texts", inList(`{"enum":[` + list(2000, same(`"aaa"`)) + `]}`), ones(`"aab"`)},
		{"an enum of lists", inList(`{"enum":[` + list(100, same(`[[1],[1],[1],[1],[2]]`)) + `]}`), ones(`[[1],[1],[1],[1],[1]]`)}, {"long numbers in an enum", inList(`{"enum":[` + list(15, same("1."+strings.Repeat("3", 900))) + `]}`), ones("1." + strings.Repeat("3", 1000))},
		{"required names", inList(`{"required":[` + list(2000, func(i int) string { return `"` + number(i) + `"` }) + `]}`), ones("{}")},
		{"a pattern", property(`{"pattern":"[a-z]{100}!"}`), text}, {"a pattern of loops", property(`{"pattern":"^(([a-z]{0,10}){0,10}[0-9a-z])*!"}`), text}, {"a large pattern", property(`{"pattern":"(.*a[a-z]{99}){1}!"}`), text},
		{"the longest patterns", object(`"properties":{"a":{"allOf":[` + list(4, func(i int) string { return `{"pattern":"` + strings.Repeat("(a|b)?[a-f]*", 320) + number(i) + `"}` }) + `]}}`), text},
		{"patterns for texts", inList(`{"pattern":"^([a-z]{0,9}|a{0,9}b){0,9}!"}`), ones(`"` + strings.Repeat("a", 200) + `"`)}, {"patterns for names", object(`"patternProperties":{` + list(100, func(i int) string { return fmt.Sprintf(`"[a-z]*%d!":{}`, i) }) + `}`), members},
		{"unevaluated members", object(`"unevaluatedProperties":false,"anyOf":[` + list(100, same(`{"minProperties":1}`)) + `]`), members}, {"unevaluated items", property(`{"unevaluatedItems":false,"anyOf":[` + list(100, same(`{"contains":{"const":1}}`)) + `]}`), ones("1")},
		{"names", object(`"propertyNames":{"anyOf":[` + list(100, same(`{"minLength":9}`)) + `]}`), members}, {"members that may not be", object(`"additionalProperties":false`), members},
		{"dependent schemas", object(`"dependentSchemas":{` + list(200, func(i int) string { return fmt.Sprintf(`"%d":{"maxProperties":0}`, i) }) + `}`), members},
		{"unique numbers", property(`{"uniqueItems":true}`), func(n int) string { return `{"a":[` + list(n, number) + `]}` }},
		{"unique texts with one hash", property(`{"uniqueItems":true}`), sameHash}, {"unique signs", property(`{"uniqueItems":true}`), func(n int) string {
			return `{"a":[` + list(n, func(i int) string {
				return fmt.Sprintf(`[%d,%d]`, i%2*2-1, i)
			}) + `]}`
		}},
		{"unique lists", inList(`{"uniqueItems":true}`), ones(`[` + list(20, func(i int) string { return `[1,1,1,1,1,1,1,1,` + strconv.Itoa(i) + `]` }) + `]`)},
		{"deep", property(`{"anyOf":[` + list(7, same(nested(12, `{"items":`, `{"type":"null"}`, `}`))) + `]}`), ones(nested(11, "[", "1", "]"))},
	} {
		s := parse(t, tc.schema)
		refused := 0
		for n := 8; len(tc.reply(n)) <= schema.MaxReply; n *= 2 {
			reply := tc.reply(n)
			var err error
			bounded(t, fmt.Sprintf("%s, %d", tc.name, n), func() { _, err = s.Check(reply) })
			if misfit, ok := errors.AsType[*schema.Violation](err); err != nil &&
				(!ok || misfit.Reason != schema.Mismatch) {
				t.Errorf("%s, %d: %v", tc.name, n, err)
			} else if err != nil && misfit.Rule == "" {
				if refused++; refused > 1 { // larger ones are also refused
					break
				}
			}
		}
		if refused == 0 && !strings.Contains(tc.name, "members that") && tc.name != "wrong types" &&
			tc.name != "long numbers" {
			t.Errorf("%s: none was too large", tc.name)
		}
	}
}

// sameHash returns a list of lists of texts for which the library computes the same hash, because
// it writes the texts one after another.
func sameHash(n int) string {
	mark := `\u0004`
	return `{"a":[` + list(min(n, 4000), func(i int) string {
		var item strings.Builder
		for bit := range 12 {
			if item.WriteString("x"); i>>bit&1 == 0 {
				item.WriteString(`","`)
			} else {
				item.WriteString(mark)
			}
		}
		return `["` + item.String() + `"]`
	}) + `]}` + strings.Repeat(" ", max(n-4000, 0)*20)
}

// TestHonestReplies shows that large useful replies are checked.
func TestHonestReplies(t *testing.T) {
	s := parse(t, order)
	for _, n := range []int{1, 100, 1000, 3000} {
		reply := `{"id":"A-1","lines":[` +
			list(n, same(`{"sku":"9f2c4d1e-7a","count":2,"price":19.99}`)) + `]}`
		if _, err := s.Check(reply); err != nil {
			t.Errorf("%d lines, %d KiB: %v", n, len(reply)>>10, err)
		}
	}
}
