package schema

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Reduce returns a schema that Parse has accepted, compact and in its order, without the keywords
// for which keep returns false. The result may accept more values.
func Reduce(text string, keep func(keyword string) bool) string {
	var out strings.Builder
	r := reducer{
		from: jsontext.NewDecoder(strings.NewReader(text)),
		to:   jsontext.NewEncoder(&out),
		keep: keep,
	}
	r.schema()
	return strings.TrimSuffix(out.String(), "\n")
}

// reducer copies a schema. Its text is valid JSON, so nothing can fail.
type reducer struct {
	from *jsontext.Decoder
	to   *jsontext.Encoder
	keep func(string) bool
}

// token copies a token.
func (r *reducer) token() {
	token, _ := r.from.ReadToken()
	_ = r.to.WriteToken(token)
}

// value copies a value verbatim.
func (r *reducer) value() {
	value, _ := r.from.ReadValue()
	_ = r.to.WriteValue(value)
}

func (r *reducer) schema() {
	if r.from.PeekKind() != '{' {
		r.value()
		return
	}
	r.token()
	for r.from.PeekKind() == '"' {
		token, _ := r.from.ReadToken()
		keyword := token.String()
		if !r.keep(keyword) {
			_ = r.from.SkipValue()
			continue
		}
		_ = r.to.WriteToken(jsontext.String(keyword))
		r.within(positions[keyword])
	}
	r.token()
}

// within copies the value of a keyword.
func (r *reducer) within(in position) {
	switch {
	case in == oneSchema:
		r.schema()
	case in == listOfSchemas && r.from.PeekKind() == '[':
		r.token()
		for strings.ContainsRune("{tf", rune(r.from.PeekKind())) {
			r.schema()
		}
		r.token()
	case in == mapOfSchemas && r.from.PeekKind() == '{':
		r.token()
		for r.from.PeekKind() == '"' {
			r.token()
			r.schema()
		}
		r.token()
	default:
		r.value()
	}
}

// Each calls visit with each object schema within a schema that Parse has accepted, including those
// in $defs.
func Each(text string, visit func(s map[string]any)) {
	if doc, problem := parse(text); problem == nil {
		each(doc, visit)
	}
}

func each(doc any, visit func(map[string]any)) {
	s, ok := doc.(map[string]any)
	if !ok {
		return
	}
	visit(s)
	for keyword, value := range s {
		switch positions[keyword] {
		case oneSchema:
			each(value, visit)
		case listOfSchemas:
			list, _ := value.([]any)
			for _, item := range list {
				each(item, visit)
			}
		case mapOfSchemas:
			members, _ := value.(map[string]any)
			for _, member := range members {
				each(member, visit)
			}
		}
	}
}
