package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// A schema that is newer than the binary is refused with one line: an old binary would write rows that
// the newer one does not expect.
func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	if _, err := s.DB().ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve"}, {"serve", "--migrate=false"}, {"migrate"}, {"verify"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), os.Args[0], args...)
			command.Env = append(onDatabase(t, url, "LOG_LEVEL=error"), execVariable+"=1")
			var stdout, stderr strings.Builder
			command.Stdout, command.Stderr = &stdout, &stderr
			_ = command.Run() // what it says is looked at below
			r := result{code: command.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
			r.expectLine(t, exitFailed, "schema is version 9999, newer than version", "run a newer binary")
		})
	}
}
