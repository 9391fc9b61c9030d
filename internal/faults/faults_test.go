package faults_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/faults"
)

// TestTable: appended records come back as rows, the last record of a promise wins, and rows without a record say so.
func TestTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "records")
	for _, r := range []faults.Record{
		{Promise: "M1", Runs: 3, Violations: 2, Measured: "oversold 9"},
		{Promise: "M3: after kill -9", Runs: 7, Measured: "doubles 0 | all", Seed: 1<<64 - 1},
		{Promise: "M1", Runs: 50, Measured: "oversold 0", Full: true, Seconds: 12},
	} {
		if err := faults.Append(path, r); err != nil {
			t.Fatal(err)
		}
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	records, err := faults.Read(in)
	if err != nil || len(records) != 2 || records[0].Seed != 1<<64-1 {
		t.Fatalf("%+v, %v", records, err)
	}
	var table strings.Builder
	if err := faults.Table(&table, records); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" | full | 50 | 0 | oversold 0 | 12 |\n", " (after kill -9) | short | 7 | 0 | doubles 0 \\| all | 0 |\n", "\n| F11 | ", "| | 0 | | not run | |\n"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}
	if strings.Contains(table.String(), "oversold 9") {
		t.Error("the table contains a record that a later one replaced")
	}
}

// TestReadRejectsOtherLines: lines that are not records are rejected.
func TestReadRejectsOtherLines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"M1 50 0", `{"promise":"X9","runs":1}`} {
		if _, err := faults.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}
