package schema

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
)

// stepsOfCopy is the price of a new map, besides its members.
const stepsOfCopy = 16

// merged returns a schema merged with its allOf, one of its alternatives, and one branch of if. The
// result must not be changed.
func (m maker) merged(of any) object {
	s, _ := of.(object)
	if s["allOf"] == nil && s["anyOf"] == nil && s["oneOf"] == nil && s["then"] == nil &&
		s["else"] == nil {
		return s
	}
	m.steps -= stepsOfCopy + len(s)
	if m.over() {
		return s
	}
	out := maps.Clone(s)
	add := func(part any) {
		keywords := m.merged(part)
		m.steps -= 1 + len(keywords)
		for keyword, value := range keywords {
			out[keyword] = m.joined(keyword, out[keyword], value)
		}
	}
	all, _ := s["allOf"].([]any)
	for _, part := range all {
		add(part)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if some, _ := s[keyword].([]any); len(some) > 0 {
			add(some[m.choice%len(some)])
		}
	}
	if m.choice%2 == 0 && s["then"] != nil {
		add(s["if"])
		add(s["then"])
	} else if s["else"] != nil {
		add(s["else"])
	}
	return out
}

// joined combines the values of one keyword in two schemas: exactly for numbers, counts and types,
// otherwise approximately.
func (m maker) joined(keyword string, a, b any) any {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case keyword == "type":
		return bothTypes(a, b)
	}
	switch a := a.(type) {
	case object:
		if b, ok := b.(object); ok {
			return m.joinedObjects(a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			if m.steps -= len(a) + len(b); m.over() {
				return a
			}
			return append(slices.Clip(a), b...)
		}
	case json.Number, *big.Rat:
		return m.stricter(keyword, a, b)
	}
	return a
}

func (m maker) joinedObjects(a, b object) object {
	m.steps -= stepsOfCopy + len(a) + len(b)
	if m.over() {
		return a
	}
	out := maps.Clone(a)
	for name, value := range b {
		out[name] = m.joined("", out[name], value)
	}
	return out
}

// bothTypes returns the types that both schemas allow. An integer is a number.
func bothTypes(a, b any) any {
	both := []any{}
	for _, one := range typeList(a) {
		for _, other := range typeList(b) {
			switch {
			case one == other, one == "integer" && other == "number":
				both = append(both, one)
			case one == "number" && other == "integer":
				both = append(both, other)
			}
		}
	}
	return both
}

func typeList(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// stricter returns the bound that implies both, or the least common multiple of two steps.
func (m maker) stricter(keyword string, a, b any) any {
	x, okX := rational(a)
	y, okY := rational(b)
	if !okX || !okY {
		return a
	}
	m.payNumber(x)
	m.payNumber(y)
	switch keyword {
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minContains", "minProperties":
		if x.Cmp(y) < 0 {
			return b
		}
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxContains", "maxProperties":
		if x.Cmp(y) > 0 {
			return b
		}
	case "multipleOf":
		return m.commonMultiple(x, y)
	}
	return a
}

// commonMultiple returns the least common multiple of two positive numbers.
func (m maker) commonMultiple(x, y *big.Rat) *big.Rat {
	if m.over() {
		return x
	}
	// Over their common denominator, x is a and y is b: the result is a*b / gcd(a, b) over that
	// denominator.
	denominator := new(big.Int).Mul(x.Denom(), y.Denom())
	a := new(big.Int).Mul(x.Num(), y.Denom())
	b := new(big.Int).Mul(y.Num(), x.Denom())
	shared := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Rat).SetFrac(a.Mul(a, b.Quo(b, shared)), denominator)
}
