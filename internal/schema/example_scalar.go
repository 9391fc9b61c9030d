package schema

import (
	"math/big"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// string makes up a string: a match of the pattern, an example of the format, or the words,
// repeated or cut to the length.
func (m maker) string(s object) {
	if pattern, ok := s["pattern"].(string); ok {
		m.quote(m.match(pattern))
		return
	}
	if format, ok := s["format"].(string); ok {
		m.quote(formats[format])
		return
	}
	text, length := m.words, utf8.RuneCountInString(m.words)
	if least := bound(s, "minLength", 0); length < least {
		more := (least - length + length) / (length + 1)
		if more*(len(m.words)+1) > m.bytes {
			m.bytes = -1
			return
		}
		text += strings.Repeat(" "+m.words, more)
		length += more * (length + 1)
	}
	if most := bound(s, "maxLength", largestCount); most < length {
		text = string([]rune(text)[:most])
	}
	m.quote(text)
}

// match returns a text that the pattern matches, or "" for a pattern that Parse would reject.
func (m maker) match(pattern string) string {
	longer := m.choice%2 == 1
	key := strconv.FormatBool(longer) + pattern
	text, known := m.matches[key]
	if !known {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			text = matching(re, longer)
		}
		m.matches[key] = text
	}
	return text
}

// matching returns a text that a pattern matches, unless it contains a position such as a word
// boundary; a longer one with one of each part that may be missing.
func matching(re *syntax.Regexp, longer bool) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpPlus, syntax.OpAlternate:
		return matching(re.Sub[0], longer)
	case syntax.OpStar, syntax.OpQuest:
		if longer {
			return matching(re.Sub[0], longer)
		}
	case syntax.OpRepeat:
		return strings.Repeat(matching(re.Sub[0], longer), re.Min)
	case syntax.OpCapture, syntax.OpConcat:
		var out strings.Builder
		for _, sub := range re.Sub {
			out.WriteString(matching(sub, longer))
		}
		return out.String()
	}
	return ""
}

// number makes up a number within the bounds. With a step, it is the multiple nearest to a bound.
// Otherwise it is a bound itself, a number one away from an excluded bound, or the middle of an
// open range.
func (m maker) number(s object, whole bool) {
	low, openLow := m.tightest(s, "minimum", "exclusiveMinimum", 1)
	high, openHigh := m.tightest(s, "maximum", "exclusiveMaximum", -1)
	step, ok := rational(s["multipleOf"])
	switch {
	case ok && whole:
		step = m.commonMultiple(step, one)
	case whole:
		step = one
	}
	if step != nil {
		m.payNumber(step)
	}
	if m.over() {
		return
	}
	var n *big.Rat
	switch {
	case step != nil:
		n = multiple(step, low, openLow, high, openHigh)
	case low == nil && high == nil:
		n = new(big.Rat)
	case low != nil && !openLow:
		n = low
	case high != nil && !openHigh:
		n = high
	case high == nil:
		n = new(big.Rat).Add(low, one)
	case low == nil:
		n = new(big.Rat).Sub(high, one)
	default:
		n = new(big.Rat).Add(low, high)
		n.Quo(n, two)
	}
	digits, _ := n.FloatPrec() // exact, because the schema's numbers are decimal
	m.write(n.FloatString(digits))
}

var one, two = big.NewRat(1, 1), big.NewRat(2, 1)

// tightest returns the stricter of two bounds, nil for none, and whether the bound itself is
// excluded. The sign of toward is the direction in which bounds become stricter.
func (m maker) tightest(s object, closed, open string, toward int) (bound *big.Rat, excluded bool) {
	bound, _ = rational(s[closed])
	if exclusive, ok := rational(s[open]); ok && (bound == nil || exclusive.Cmp(bound)*toward >= 0) {
		bound, excluded = exclusive, true
	}
	if bound != nil {
		m.payNumber(bound)
	}
	return bound, excluded
}

// multiple returns the smallest multiple of the step above the low bound, or the largest below the
// high one; 0 without bounds.
func multiple(step, low *big.Rat, openLow bool, high *big.Rat, openHigh bool) *big.Rat {
	times := new(big.Int)
	switch {
	case low != nil:
		times = floor(new(big.Rat).Quo(low, step))
		if n := product(step, times); n.Cmp(low) < 0 || openLow && n.Cmp(low) == 0 {
			times.Add(times, big.NewInt(1))
		}
	case high != nil:
		times = floor(new(big.Rat).Quo(high, step))
		if openHigh && product(step, times).Cmp(high) == 0 {
			times.Sub(times, big.NewInt(1))
		}
	}
	return product(step, times)
}

func product(step *big.Rat, times *big.Int) *big.Rat {
	return new(big.Rat).Mul(step, new(big.Rat).SetInt(times))
}

// floor returns the largest whole number that is at most n. Euclidean division rounds down for a
// positive divisor.
func floor(n *big.Rat) *big.Int { return new(big.Int).Div(n.Num(), n.Denom()) }
