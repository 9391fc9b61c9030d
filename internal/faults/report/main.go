// Command report makes docs/faults.md of the records that the fault bench has collected: report <records> <document>.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"agentchat/internal/faults"
)

const head = `# The fault bench

Every row is a fault that is made on purpose, against the real binary and a real PostgreSQL, and the promise that has to hold all
the same. ` + "`make test-faults`" + ` runs all rows at full length; ` + "`make test`" + ` runs a short form of them. The tests are in
` + "`internal/e2e`" + `; each prints one line of JSON with its seed, and ` + "`make faults-report`" + ` makes this table of
the lines of the last run.
` + "`make test-broken`" + ` shows that the tests can fail: it breaks the service on purpose, one patch at a time, and wants red.

The column of runs says how often each fault was made for this table, and that of the form whether in full or in the short form of
the everyday tests; a row that was not run says so. Beside every row the books of its whole database were audited all along, each
time in one snapshot; the audits are counted. The seconds are those of all rows at once, the soak of an hour beside them.

`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("name the file of the records, and the document to write")
	}
	in, err := os.Open(args[0])
	if err != nil {
		return fmt.Errorf("%w: run `make test-faults` first", err)
	}
	defer func() { _ = in.Close() }()
	records, err := faults.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	document := bytes.NewBufferString(head)
	if err := faults.Table(document, records); err != nil {
		return err
	}
	return os.WriteFile(args[1], document.Bytes(), 0o644) //nolint:gosec // a document for everybody
}
