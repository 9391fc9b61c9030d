package knowledge

import (
	"net/netip"
	"regexp"
	"strings"
)

// The ways to write a number: grouped matches one without decimals; spacedNumber, at the start of a
// text, one that is grouped by spaces. A number that begins with 0 has no groups.
var (
	grouped = regexp.MustCompile(`^(?:[0-9]+|[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3})+|` +
		`(?:'[0-9]{3})+|(?: [0-9]{3})+)|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})$`)
	spacedNumber = regexp.MustCompile(`^[1-9][0-9]{0,2}(?: [0-9]{3}){1,6}(?:[.,][0-9]+)?`)
)

// ungrouped removes the signs between groups of digits.
var ungrouped = strings.NewReplacer(".", "", ",", "", "'", "", " ", "")

// numberValue returns the value of a number, in digits: 1.000 and 1,000.00 are 1000. A value with
// decimals has a sign before it, "=2.5". The number as written is another term, so a question for
// version 3.1 prefers 3.1 to 3.10. It returns "" for dates, versions and addresses.
func numberValue(text string) string {
	if len(text) > maxTerm {
		return ""
	}
	if grouped.MatchString(text) {
		if _, err := netip.ParseAddr(text); err == nil {
			return ""
		}
		return ungrouped.Replace(text)
	}
	point := strings.LastIndexAny(text, ".,")
	if point < 0 || strings.Contains(text[:point], text[point:point+1]) ||
		strings.ContainsAny(text[point+1:], "' ") || !grouped.MatchString(text[:point]) {
		return ""
	}
	value := ungrouped.Replace(text[:point])
	if decimals := strings.TrimRight(text[point+1:], "0"); decimals != "" {
		return "=" + value + "." + decimals
	}
	return value
}

// number adds a number as written, and its value, which ignores grouping and zero decimals. The
// number of a version has no value.
func (s *scanner) number(at, end int, version bool) {
	text := s.text[at:end]
	s.add(text)
	if version {
		return
	}
	if value := numberValue(text); value != "" && value != text {
		s.add(value)
	}
	if value := numberValue(s.spaced(at, end)); value != "" {
		s.add(value)
	}
}

// spaced returns the number grouped by spaces that begins with the digits from at to end. It
// returns "" for other digits, and for rows of more numbers.
func (s *scanner) spaced(at, end int) string {
	if end-at > 3 || !s.digitAt(end+1) || at > 1 && s.text[at-1] == ' ' && s.digitAt(at-2) {
		return ""
	}
	text := spacedNumber.FindString(s.text[at:min(len(s.text), at+maxTerm)])
	next := at + len(text)
	if s.digitAt(next) || s.digitAt(next+1) {
		return ""
	}
	return text
}

// digitAt reports whether the character at an offset is a digit.
func (s *scanner) digitAt(at int) bool {
	return at < len(s.text) && s.text[at] >= '0' && s.text[at] <= '9'
}

// numberEnd returns the end of a number: digits, with single points and commas between them, or an
// apostrophe before three.
func (s *scanner) numberEnd(at int) int {
	for {
		at = s.run(at, digit)
		c, size := s.peek(at)
		switch {
		case (c == '.' || c == ',') && s.digitAt(at+size):
		case c == '\'' && s.run(at+size, digit) == at+size+3:
		default:
			return at
		}
		at += size
	}
}
