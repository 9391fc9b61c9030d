package db

import (
	"strconv"
	"strings"
)

// Statement composes a statement with bound parameters.
type Statement struct {
	text strings.Builder
	args []any
}

// Add adds a part; each ? in it is the next of the values.
func (s *Statement) Add(part string, values ...any) {
	for _, value := range values {
		before, after, _ := strings.Cut(part, "?")
		s.args = append(s.args, value)
		s.text.WriteString(before + "$" + strconv.Itoa(len(s.args)))
		part = after
	}
	s.text.WriteString(part)
}

// Page adds a SELECT that reads at most size rows and one more, in the order of some of its
// columns. The planner makes one plan for all parameters, and takes a LIMIT that is a parameter for
// a tenth of the table. The constant limit inside, the largest page, makes it read an index in
// order; the executor still stops at the parameter.
func (s *Statement) Page(order string, size int, inner func()) {
	s.Add(`SELECT * FROM (`)
	inner()
	s.Add(` ORDER BY `+order+` LIMIT `+strconv.Itoa(MaxPage+1)+`) page ORDER BY `+order+` LIMIT ?::bigint`, size+1)
}

// Embed adds another statement, whose parameters keep their numbers: it is the first that has any.
func (s *Statement) Embed(other *Statement) {
	s.args = append(s.args, other.args...)
	s.text.WriteString(other.text.String())
}

// String returns the statement's text.
func (s *Statement) String() string { return s.text.String() }

// Args returns the values of its parameters, in order.
func (s *Statement) Args() []any { return s.args }
