// Package faults keeps the records of the fault bench: which promise was tried, how often, and how often it was broken. The
// tests of internal/e2e write them; the program in report makes the table of docs/faults.md of them.
package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Record is what one test of the bench found.
type Record struct {
	// Promise is the row's id, such as "M1"; after a colon, which part of it where several tests share the row.
	Promise string `json:"promise"`
	// Runs is how often the fault was made: rounds, keys, kills.
	Runs int `json:"runs"`
	// Violations is how often the promise did not hold.
	Violations int `json:"violations"`
	// Measured are the row's figures, in words.
	Measured string `json:"measured"`
	// Full says that the fault was made as often, or for as long, as the row wants, not in its short form.
	Full bool `json:"full"`
	// Seconds is how long the test took.
	Seconds int `json:"seconds"`
	// Seed repeats the test's random choices.
	Seed uint64 `json:"seed"`
}

// Line is the record as one line of JSON, without its end.
func (r Record) Line() string {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // a struct of texts and numbers always has a form in JSON
	}
	return string(line)
}

// Append adds the record to a file, in one write, so that several processes may use the same file.
func Append(path string, r Record) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(r.Line() + "\n")
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// Read reads the lines that Append wrote. A promise that was recorded more than once counts with its last record.
func Read(in io.Reader) ([]Record, error) {
	var all []Record
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d is no record: %w", n, err)
		}
		if !known(r.row()) {
			return nil, fmt.Errorf("line %d: there is no row %q", n, r.row())
		}
		all = slices.DeleteFunc(all, func(old Record) bool { return old.Promise == r.Promise })
		all = append(all, r)
	}
	return all, lines.Err()
}

func (r Record) row() string {
	id, _, _ := strings.Cut(r.Promise, ":")
	return id
}

// part is what stands after the id.
func (r Record) part() string {
	_, part, _ := strings.Cut(r.Promise, ":")
	return strings.TrimSpace(part)
}

func (r Record) form() string {
	if r.Full {
		return "full"
	}
	return "short"
}

func known(id string) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.id == id })
}

// Table writes all rows with what was recorded of them, as a table in Markdown. A row without a record says so.
func Table(out io.Writer, records []Record) error {
	var text strings.Builder
	text.WriteString("| row | promise | form | runs | violations | measured | seconds |\n|---|---|---|---|---|---|---|\n")
	for _, row := range rows {
		found := false
		for _, r := range records {
			if r.row() != row.id {
				continue
			}
			found = true
			promise := row.promise
			if part := r.part(); part != "" {
				promise += " (" + part + ")"
			}
			fmt.Fprintf(&text, "| %s | %s | %s | %d | %d | %s | %d |\n", row.id, cell(promise), r.form(), r.Runs, r.Violations,
				cell(r.Measured), r.Seconds)
		}
		if !found {
			fmt.Fprintf(&text, "| %s | %s | | 0 | | not run | |\n", row.id, cell(row.promise))
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }
