// Command report writes docs/faults.md from the records of the fault bench: report <records> <document>.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"agentchat/internal/faults"
)

const head = `# The fault bench

Each row injects a fault into the real binary on a real PostgreSQL and checks that a promise still holds.
` + "`make test-faults`" + ` runs every row at full length; ` + "`make test`" + ` runs most of them in a short form and skips the
slowest. The tests are in ` + "`internal/e2e`" + `. Each prints one line of JSON with its seed, and ` + "`make faults-report`" + `
turns the lines of the last run into this table. ` + "`make test-broken`" + ` shows that the tests can fail: it breaks the
service, one patch at a time, and expects a test to fail.

"runs" is how often the fault was injected, and "form" is the length of the run: full or short. During every row, an auditor checks
the ledger of the whole database over and over, each time in one snapshot; "measured" counts these audits. "seconds" was measured with
other rows, and the one-hour soak, running at the same time; rows that compare times or weigh memory ran one by one.

`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: report <records> <document>")
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
