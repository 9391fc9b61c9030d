package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestTheStartLogsTheLimits tests that the log has the limits of memory and connections, and a
// warning about an origin of another site.
func TestTheStartLogsTheLimits(t *testing.T) {
	t.Parallel()
	command := exec.Command("sh", "-c", `ulimit -n 64; exec "$0" serve`, os.Args[0])
	command.Env = onDatabase(t, storetest.URL(t), "LOG_FORMAT=json", "DATABASE_MAX_CONNS=6",
		"GOMEMLIMIT=400MiB", execVariable+"=1", "ALLOWED_ORIGINS=https://panel.example",
		"PATH="+os.Getenv("PATH"))
	command.Dir = filepath.Dir(os.Args[0])
	log := &safeBuffer{}
	command.Stderr = log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the service serves", func() bool { return strings.Contains(log.String(), `"serving"`) })
	_ = command.Process.Kill()
	_ = command.Wait()
	for _, want := range []string{
		`"level":"WARN","msg":"only few clients can be connected at once`,
		`"connections":16,"open_files":64,"memory_bytes":419430400,"request_memory_bytes":209715200}`,
		`"origin":"https://panel.example"`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
}
