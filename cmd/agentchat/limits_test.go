package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/server"
	"agentchat/internal/store/storetest"
)

// TestTheStartLogsTheLimits tests that the log has the limits of memory and connections, and a
// warning about an origin of another site.
func TestTheStartLogsTheLimits(t *testing.T) {
	t.Parallel()
	if server.OpenFiles() < 2070 {
		t.Skip("this process may open too few files")
	}
	env := onDatabase(t, storetest.URL(t), "LOG_FORMAT=json", "DATABASE_MAX_CONNS=6",
		"GOMEMLIMIT=400MiB", execVariable+"=1",
		"ALLOWED_ORIGINS=https://panel.example",
		"PATH="+os.Getenv("PATH"))
	for script, want := range map[string]struct {
		level              string
		connections, files float64
	}{
		`ulimit -n 64; exec "$0" serve`:   {"WARN", 16, 64},
		`ulimit -n 2070; exec "$0" serve`: {"INFO", 1000, 2070},
	} {
		command := exec.Command("sh", "-c", script, os.Args[0])
		command.Env, command.Dir = env, filepath.Dir(os.Args[0])
		log := &safeBuffer{}
		command.Stderr = log
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the service serves", func() bool { return strings.Contains(log.String(), `"serving"`) })
		_ = command.Process.Kill()
		_ = command.Wait()
		var line map[string]any
		for text := range strings.Lines(log.String()) {
			if strings.Contains(text, "request_memory_bytes") {
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatal(err)
				}
			}
		}
		if line["level"] != want.level || line["connections"] != want.connections ||
			line["open_files"] != want.files ||
			line["memory_bytes"] != float64(400<<20) || line["request_memory_bytes"] != float64(200<<20) {
			t.Errorf("%s: %v, want %v", script, line, want)
		}
		if !strings.Contains(log.String(), `"origin":"https://panel.example"`) {
			t.Errorf("the start does not warn of an origin of another site: %s", log)
		}
	}
}
