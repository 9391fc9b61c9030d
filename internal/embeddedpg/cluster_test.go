package embeddedpg_test

import (
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

// made returns the configuration and the directory of a stopped cluster that holds a mark.
func made(t *testing.T) (cfg embeddedpg.Config, dir string) {
	t.Helper()
	cfg = existing(t)
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	write(t, s.URL())
	stop(t, s)
	if isClosed(s.Done()) {
		t.Error("Done is closed after a requested Stop")
	}
	return cfg, filepath.Join(cfg.DataDir, "postgres")
}

// TestRefusedDirectories tests that a directory that cannot be used is left unchanged.
func TestRefusedDirectories(t *testing.T) {
	t.Parallel()
	file := func(name, content string) func(*testing.T, string) {
		return func(t *testing.T, data string) {
			t.Helper()
			path := filepath.Join(data, name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(content), 0o600))
		}
	}
	for name, c := range map[string]struct {
		cluster bool // there is one already
		prepare func(t *testing.T, data string)
		texts   []string
	}{
		"other files": {false, file("postgres/letters.txt", "dear"),
			[]string{"contains files but no PostgreSQL cluster", "Nothing was changed"}},
		"version without sense":    {false, file("postgres/PG_VERSION", "new\n"), []string{"PG_VERSION"}},
		"cluster is a file":        {false, file("postgres", "dear"), []string{"is a file"}},
		"data directory is a file": {false, file("", "dear"), []string{"is a file", "AGENTCHAT_DATA_DIR"}},
		"older version": {true, file("postgres/PG_VERSION", "9\n"),
			[]string{"PostgreSQL 9 ", "version 1", "nothing was changed"}},
		"newer version": {true, file("postgres/PG_VERSION", "99\n"),
			[]string{"PostgreSQL 99 ", "version 1", "nothing was changed"}},
		"cluster of another program": {true, func(t *testing.T, data string) {
			t.Helper()
			must(t, os.Remove(filepath.Join(data, "postgres", "agentchat.password")))
		}, []string{"agentchat.password", "DATABASE_URL"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			if c.cluster {
				cfg = existing(t)
			}
			c.prepare(t, cfg.DataDir)
			cluster := filepath.Join(cfg.DataDir, "postgres")
			before := snapshot(t, cluster)
			refused(t, cfg, c.texts...)
			if after := snapshot(t, cluster); !maps.Equal(before, after) {
				t.Errorf("%v became %v", before, after)
			}
		})
	}
}

func TestNoDataDirectory(t *testing.T) {
	t.Parallel()
	refused(t, embeddedpg.Config{}, "AGENTCHAT_DATA_DIR")
	below := filepath.Join(openDir(t), "file")
	must(t, os.WriteFile(below, nil, 0o600))
	refused(t, embeddedpg.Config{DataDir: filepath.Join(below, "data")}, "cannot be made",
		"AGENTCHAT_DATA_DIR")
}

// TestRemainsOfAnInterruptedInitdbAreRemoved also shows that an empty directory is used.
func TestRemainsOfAnInterruptedInitdbAreRemoved(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	cfg := config(t)
	must(t, os.MkdirAll(filepath.Join(cfg.DataDir, "postgres"), 0o755))
	remains := filepath.Join(cfg.DataDir, "postgres.init-123")
	must(t, os.MkdirAll(filepath.Join(remains, "data", "base"), 0o755))
	must(t, os.Chmod(cfg.DataDir, 0o755))
	must(t, os.WriteFile(filepath.Join(remains, "data", "PG_VERSION"), []byte("15\n"), 0o600))
	start(t, cfg)
	left, err := filepath.Glob(filepath.Join(cfg.DataDir, "postgres.init-*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestInitdbFailureIsReported shows that the error contains initdb's output. A limit on the size of
// files simulates a full disk.
func TestInitdbFailureIsReported(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	resolved, _ := realBinDir(t)
	bin := openDir(t)
	for _, p := range []string{"postgres", "pg_ctl"} {
		writeProgram(t, filepath.Join(bin, p), []byte("#!/bin/sh\nexec "+resolved+"/"+p+" \"$@\"\n"))
	}
	script := "#!/bin/sh\ntrap '' XFSZ\nulimit -f " + strconv.Itoa(64) + "\nexec " + resolved +
		"/initdb \"$@\"\n"
	writeProgram(t, filepath.Join(bin, "initdb"), []byte(script))
	cfg := config(t)
	cfg.BinDir = bin
	refused(t, cfg, "initdb of PostgreSQL", "ile too large")
	left, err := filepath.Glob(filepath.Join(cfg.DataDir, "postgres*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	cfg.BinDir = ""
	start(t, cfg)
}

// TestServerFailureIsReported shows that the error of a server that does not start contains its
// log.
func TestServerFailureIsReported(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	cfg, _ := made(t)
	cfg.Settings["no_such_setting"] = "1"
	refused(t, cfg, "did not start", "no_such_setting")
	delete(cfg.Settings, "no_such_setting")
	note(t, start(t, cfg).URL())
}
