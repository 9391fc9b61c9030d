package evaluation

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"agentchat/internal/fault"
)

// cell stores the text of a cell in a case.
type cell func(c *Case, text string) error

// columns has the columns by name, except for variable:NAME. Columns of checks may occur more than
// once.
var columns = map[string]cell{
	"message":  func(c *Case, text string) error { c.Message = text; return nil },
	"name":     func(c *Case, text string) error { c.Name = text; return nil },
	"contains": checkOf(func(text string) Check { return Check{Type: Contains, Text: Texts{text}} }),
	"not_contains": checkOf(func(text string) Check {
		return Check{Type: Contains, Not: true, Text: Texts{text}}
	}),
	"equals": checkOf(func(text string) Check { return Check{Type: Equals, Text: Texts{text}} }),
	"regex":  checkOf(func(text string) Check { return Check{Type: Regex, Pattern: text} }),
	"judge":  checkOf(func(text string) Check { return Check{Type: Judge, Criterion: text} }),
	"cites":  checkOf(func(text string) Check { return Check{Type: Cites, Source: text} }),
	"action": actionCell,
	"max_ms": func(c *Case, text string) error {
		most, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		c.Checks = append(c.Checks, Check{Type: MaxMS, Most: most})
		return err
	},
}

const variablePrefix = "variable:"

func checkOf(of func(text string) Check) cell {
	return func(c *Case, text string) error { c.Checks = append(c.Checks, of(text)); return nil }
}

// actionCell reads the name of an action and, after a space, the arguments it must have.
func actionCell(c *Case, text string) error {
	name, arguments, _ := strings.Cut(strings.TrimSpace(text), " ")
	check := Check{Type: Action, Name: name}
	if arguments != "" {
		check.Arguments = json.RawMessage(arguments)
		if !json.Valid(check.Arguments) {
			return errors.New("the arguments are not JSON")
		}
	}
	c.Checks = append(c.Checks, check)
	return nil
}

// readCSV adds the cases of a table. Its first row names the columns.
func (in *importer) readCSV(content []byte) *fault.Field {
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comma, reader.FieldsPerRecord = separator(content), -1
	var cells []cell
	var names []string
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if syntax, ok := errors.AsType[*csv.ParseError](err); ok {
			return onLine(syntax.StartLine, invalid(fault.InvalidValue,
				"the quotation marks do not match. Put text with quotation marks in quotation marks, and double those inside."))
		}
		line, _ := reader.FieldPos(0)
		var problem *fault.Field
		switch {
		case strings.TrimSpace(strings.Join(row, "")) == "":
		case names == nil:
			names = row
			cells, problem = in.header(line, names)
		default:
			problem = in.row(row, names, cells)
		}
		if problem != nil {
			return onLine(line, problem)
		}
	}
}

// separator returns the separator with which the table has a column message.
func separator(content []byte) rune {
	header, _, _ := bytes.Cut(content, []byte("\n"))
	for _, c := range ",;\t" {
		if slices.ContainsFunc(strings.Split(string(header), string(c)), isMessage) {
			return c
		}
	}
	return ','
}

func isMessage(name string) bool {
	return strings.EqualFold(strings.Trim(strings.TrimSpace(name), `"`), "message")
}

// header returns the function for the cells of each column; nil for skipped columns.
func (in *importer) header(line int, names []string) ([]cell, *fault.Field) {
	out, others, seen := make([]cell, len(names)), []string{}, map[string]bool{}
	for i, name := range names {
		name = strings.TrimSpace(name)
		variable, isVariable := strings.CutPrefix(name, variablePrefix)
		if !isVariable {
			name = strings.ToLower(name)
		}
		if seen[name] && (isVariable || name == "message" || name == "name") {
			return nil, invalid(fault.InvalidValue, fmt.Sprintf("there are two columns %q. Remove one.", cut(name)))
		}
		seen[name] = true
		if out[i] = columns[name]; isVariable {
			out[i] = variableCell(variable)
		}
		if out[i] == nil && name != "" {
			others = append(others, fmt.Sprintf("the column %q", cut(name)))
		}
	}
	if !seen["message"] {
		return nil, invalid(fault.Missing, `there is no column "message". Name the columns in the first row.`)
	}
	return out, in.unsupported(line, others)
}

func variableCell(name string) cell {
	return func(c *Case, text string) error {
		if c.Variables == nil {
			c.Variables = map[string]string{}
		}
		c.Variables[name] = text
		return nil
	}
}

// row adds the case of a row.
func (in *importer) row(row, names []string, cells []cell) *fault.Field {
	c := Case{}
	for i, text := range row {
		switch {
		case strings.TrimSpace(text) == "":
			continue
		case i >= len(cells):
			return invalid(fault.InvalidValue,
				"there are more cells than columns. Put text with separators in quotation marks.")
		case cells[i] == nil: // skipped
			continue
		}
		if err := cells[i](&c, text); err != nil {
			return invalid(fault.InvalidValue, fmt.Sprintf("the cell of the column %q is not valid. Correct it.", cut(names[i])))
		}
	}
	return in.build(c)
}
