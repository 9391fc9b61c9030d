package store

import (
	"strconv"
	"strings"
)

// statement composes a statement with bound parameters.
type statement struct {
	text strings.Builder
	args []any
}

// add adds a part; each ? in it is the next of the values.
func (s *statement) add(part string, values ...any) {
	for _, value := range values {
		before, after, _ := strings.Cut(part, "?")
		s.args = append(s.args, value)
		s.text.WriteString(before + "$" + strconv.Itoa(len(s.args)))
		part = after
	}
	s.text.WriteString(part)
}

// page adds a SELECT that reads at most size rows and one more, in the order of some of its columns. The planner makes one plan
// for all parameters, and takes a LIMIT that is a parameter for a tenth of the table. The constant limit inside, the largest page,
// makes it read an index in order; the executor still stops at the parameter.
func (s *statement) page(order string, size int, inner func()) {
	s.add(`SELECT * FROM (`)
	inner()
	s.add(` ORDER BY `+order+` LIMIT `+strconv.Itoa(MaxPage+1)+`) page ORDER BY `+order+` LIMIT ?::bigint`, size+1)
}

// embed adds another statement, whose parameters keep their numbers: it is the first that has any.
func (s *statement) embed(other *statement) {
	s.args = append(s.args, other.args...)
	s.text.WriteString(other.text.String())
}

// String returns the statement's text.
func (s *statement) String() string { return s.text.String() }

// Args returns the values of its parameters, in order.
func (s *statement) Args() []any { return s.args }
