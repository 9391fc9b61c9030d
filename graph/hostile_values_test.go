package graph_test

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/store"
)

// values returns hostile values for a place.
func (h *hostile) values(p place) []any {
	if p.typ.Elem != nil {
		return []any{nil, []any{}, []any{nil}, vars{}, make([]any, 100), "x"}
	}
	switch def := h.schema.Types[p.typ.NamedType]; def.Kind {
	case ast.InputObject:
		return []any{nil, vars{}, vars{"__proto__": vars{}}, []any{}, "x"}
	case ast.Enum:
		out := []any{nil, "", "\x00", "X", 0}
		for _, v := range def.EnumValues {
			out = append(out, v.Name)
		}
		return out
	}
	switch name := p.path[strings.LastIndex(p.path, ".")+1:]; {
	case name == "after" || name == "before":
		return append(h.cursors(), hostileTexts...)
	case strings.Contains(strings.ToLower(name), "password") || name == "email": // each takes a hash
		return []any{nil, "", "a\x00b@example.com", "a\uffff\u0301\u202e@example.com", strings.Repeat("x", 200<<10), 0}
	case name == "timeZone":
		return append([]any{"UTC", "Local", "../../etc/passwd", "Etc/GMT+14", "posix/UTC", "+25:00",
			"europe/berlin"}, hostileTexts...)
	}
	return hostileScalars[p.typ.NamedType]
}

// cursors returns well-formed cursors of every list that no list has issued.
func (h *hostile) cursors() (out []any) {
	for kind := range store.CursorKind(16) {
		for _, c := range []store.Cursor{{Key: math.MaxInt64, ID: uuid.Max}, {Key: math.MinInt64}, {
			Text: "a\x00b"}, {Text: "\xff\xfe"}} {
			out = append(out, c.Encode(kind, h.u.account.ID))
		}
	}
	return out
}

var hostileTexts = []any{nil, "", " ", "\x00", "a\x00b", json.RawMessage(`"\ud800"`),
	json.RawMessage(`"a\udfff"`), "\uffff", "\U0010ffff", "\u0301\u0301", "\u202eabc", "\ufeff", "%",
	"_", `\`, `%\`, "'", `"`,
	"{{x}}", "$1", "?", "\n", "\x7f", strings.Repeat("x", 256), strings.Repeat("私", 60_000), 0, true, []any{"x"}, vars{"x": 1}}

// hostileScalars lists hostile values by scalar.
var hostileScalars = map[string][]any{
	"String": hostileTexts,
	"ID": append([]any{uuid.Nil, uuid.Max, uuid.New(), uuid.Must(uuid.NewV7()),
		"01A1FC5B-13C4-8D92-BE70-3F5A9BDD38D4", "{01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4}",
		"urn:uuid:01a1fc5b-13c4-7d92-be70-3f5a9bdd38d4", strings.Repeat("-", 36),
		strings.Repeat("\x00", 36), -1}, hostileTexts...),
	"Int": {nil, 0, -1, 1, 100, 101, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1,
		jsonNumber("9223372036854775807"), jsonNumber("-9223372036854775808"),
		jsonNumber("9223372036854775808"), jsonNumber("1e308"), jsonNumber("1e3"), 1.5, "1", "", "\x00", true, []any{1}},
	"Float": {nil, 0, jsonNumber("-0"), -1, 1e308, -1e308, jsonNumber("1e999"), jsonNumber("1e-999"),
		0.1, "1", "NaN", "\x00", true},
	"Boolean": {nil, true, false, 0, "true", "\x00"},
	"Upload":  {nil, "", "file", 0, vars{}, vars{"content": "x"}},
	"DateTime": {nil, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59.999999999Z",
		"9999-12-31T23:59:59-23:59", "+275760-09-13T00:00:00Z", "275760-09-13T00:00:00Z",
		"-4713-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z",
		"1970-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-12-31T23:59:60Z", "2026-01-01", "infinity",
		"now", "", "\x00", 0, -1},
	"Credits": {nil, 0, -1, 1, 1 << 53, 1<<53 + 1, jsonNumber("9223372036854775807"),
		jsonNumber("9223372036854775808"), jsonNumber("1e308"), 1.5, "1", "\x00"},
}
