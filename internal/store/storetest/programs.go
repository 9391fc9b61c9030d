package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

var programVersion = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// Program returns the path of a PostgreSQL client program, such as pg_dump, that is not older than
// the server of databaseURL. It skips the test without one: the npm package of PostgreSQL has no
// client programs.
func Program(t testing.TB, databaseURL, name string) string {
	t.Helper()
	var server int
	err := Open(t, databaseURL).SQL().QueryRowContext(t.Context(),
		`SELECT current_setting('server_version_num')::int / 10000`).Scan(&server)
	must(t, err)
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well formed
	for _, dir := range append([]string{os.Getenv("AGENTCHAT_POSTGRES_BIN"), ""}, places...) {
		path, err := exec.LookPath(filepath.Join(dir, name)) // without a folder, on PATH
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(t.Context(), path, "--version").Output()
		if err != nil {
			continue
		}
		found := programVersion.FindSubmatch(out)
		if found == nil {
			continue
		}
		if major, err := strconv.Atoi(string(found[1])); err == nil && major >= server {
			return path
		}
	}
	t.Skipf("no %s of PostgreSQL %d or newer is installed: the test cannot run", name, server)
	return ""
}
