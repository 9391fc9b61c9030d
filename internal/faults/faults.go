// Package faults is what the fault bench's tests share. It decides whether they run at full length, and keeps their records:
// which promise was tested, how often, and how often it was broken. The program in report turns the records into docs/faults.md.
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
	// Promise is the row's ID, such as "M1". If several tests share a row, a colon and the part that this test covers follow.
	Promise string `json:"promise"`
	// Runs is how often the fault was injected: rounds, keys, kills.
	Runs int `json:"runs"`
	// Violations is how often the promise did not hold.
	Violations int `json:"violations"`
	// Measured holds the row's figures as text.
	Measured string `json:"measured"`
	// Full reports whether the test ran at full length.
	Full bool `json:"full"`
	// Seconds is how long the test took.
	Seconds int `json:"seconds"`
	// Seed repeats the test's random choices.
	Seed uint64 `json:"seed"`
}

// Line returns the record as one line of JSON, without the newline.
func (r Record) Line() string {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return string(line)
}

// Append adds the record to a file in one write, so that several processes can share the file.
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

// Read reads the lines that Append wrote. If a promise was recorded more than once, the last record counts. It fails on a line
// that is not a record and on an unknown row.
func Read(in io.Reader) ([]Record, error) {
	var all []Record
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d is not a record: %w", n, err)
		}
		if !r.Known() {
			return nil, fmt.Errorf("line %d: unknown row %q", n, r.row())
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

// part returns what follows the row's ID.
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

// Known reports whether the bench has the record's row.
func (r Record) Known() bool {
	return slices.ContainsFunc(rows, func(known row) bool { return known.id == r.row() })
}

// Table writes all rows and their records as a Markdown table. A row without a record is marked "not run".
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
