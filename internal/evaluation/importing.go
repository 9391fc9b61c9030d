package evaluation

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

const (
	// MaxFile is the size of the largest file with cases, in bytes.
	MaxFile = 5_000_000
	// MaxCases is the limit of cases per agent, and per file.
	MaxCases = 500
)

// Import reads the cases of a file: one document a line, as this service exports them; OpenAI Evals'
// JSONL; or CSV. Cases without checks are disabled. Unsupported members and columns are refused, or
// skipped and listed if skipUnsupported is set. Fault: InvalidInput on file, with a message that
// names the line.
func Import(content []byte, skipUnsupported bool) (cases []*Case, skipped []Skipped, err error) {
	in := importer{skipUnsupported: skipUnsupported}
	if problem := in.read(bytes.TrimPrefix(content, []byte("\ufeff"))); problem != nil {
		problem.Path = "file"
		return nil, nil, fault.Invalid(*problem)
	}
	return in.cases, in.skipped, nil
}

type importer struct {
	skipUnsupported bool
	cases           []*Case
	skipped         []Skipped
}

func (in *importer) read(content []byte) *fault.Field {
	switch {
	case len(content) > MaxFile:
		return invalid(fault.TooLong, "The file is larger than 5 MB. Split it.")
	case !utf8.Valid(content):
		return invalid(fault.InvalidValue, "The file is not in UTF-8. Save it as UTF-8.")
	case len(bytes.TrimSpace(content)) == 0:
		return invalid(fault.Empty, "The file is empty.")
	case bytes.TrimSpace(content)[0] != '{':
		return in.readCSV(content)
	}
	read := in.readDocument
	if first, _, _ := bytes.Cut(bytes.TrimSpace(content), []byte("\n")); isEval(first) {
		read = in.readEval
	}
	for number, line := range lines(content) {
		if problem := read(number, line); problem != nil {
			return onLine(number, problem)
		}
	}
	return nil
}

// lines returns the lines that are not blank, with their numbers from 1.
func lines(content []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		number := 0
		for line := range bytes.Lines(content) {
			number++
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(number, line) {
				return
			}
		}
	}
}

// readDocument adds the case of a line of this service's format.
func (in *importer) readDocument(_ int, line []byte) *fault.Field {
	c, problem := parse(line)
	if problem != nil {
		return problem
	}
	return in.add(c)
}

// build adds a case that was built from a line.
func (in *importer) build(c Case) *fault.Field {
	c.Enabled = true
	checked, problem := parse(c.Document())
	if problem != nil {
		return problem
	}
	return in.add(checked)
}

func (in *importer) add(c *Case) *fault.Field {
	if len(in.cases) == MaxCases {
		return invalid(fault.TooLong, fmt.Sprintf("the file has more than %d cases. Split it.", MaxCases))
	}
	c.Enabled = c.Enabled && len(c.Checks) > 0
	in.cases = append(in.cases, c)
	return nil
}

// maxListed is the limit of names in a message about a line.
const maxListed = 5

// unsupported refuses parts of a line, or lists them as skipped.
func (in *importer) unsupported(line int, parts []string) *fault.Field {
	if len(parts) == 0 {
		return nil
	}
	names := strings.Join(parts[:min(len(parts), maxListed)], ", ")
	if more := len(parts) - maxListed; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	if in.skipUnsupported {
		in.skipped = append(in.skipped, Skipped{Line: line, Message: "Left out: " + names + "."})
		return nil
	}
	return invalid(fault.NotSupported, "a test case cannot have "+names+". Remove it, or import without it.")
}

func invalid(reason fault.Reason, message string) *fault.Field {
	return &fault.Field{Reason: reason, Message: message}
}

// onLine adds the number of a line to a problem.
func onLine(number int, problem *fault.Field) *fault.Field {
	problem.Message = fmt.Sprintf("Line %d: %s", number, problem.Message)
	return problem
}
