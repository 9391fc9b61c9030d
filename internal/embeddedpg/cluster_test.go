package embeddedpg_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

func TestAnotherMajorVersionIsRefused(t *testing.T) {
	t.Parallel()
	for _, major := range []string{"9", "99"} {
		t.Run(major, func(t *testing.T) {
			t.Parallel()
			cfg, cluster := made(t)
			version := filepath.Join(cluster, "PG_VERSION")
			own, err := os.ReadFile(version)
			must(t, err)
			must(t, os.WriteFile(version, []byte(major+"\n"), 0o600))
			before := snapshot(t, cluster)
			refused(t, cfg, "PostgreSQL "+major+" ", "version "+strings.TrimSpace(string(own)),
				"nothing was changed")
			unchanged(t, cluster, before)
			must(t, os.WriteFile(version, own, 0o600))
			note(t, start(t, cfg).URL())
		})
	}
}

func TestDirectoriesWithoutACluster(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, data, cluster string)
		texts   []string
	}{
		"other files": {func(t *testing.T, _, cluster string) {
			must(t, os.MkdirAll(cluster, 0o755))
			must(t, os.WriteFile(filepath.Join(cluster, "letters.txt"), []byte("dear"), 0o600))
		}, []string{"contains files but no PostgreSQL cluster", "Nothing was changed"}},
		"version without sense": {func(t *testing.T, _, cluster string) {
			must(t, os.MkdirAll(cluster, 0o755))
			must(t, os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("new\n"), 0o600))
		}, []string{"PG_VERSION"}},
		"cluster is a file": {func(t *testing.T, data, cluster string) {
			must(t, os.MkdirAll(data, 0o755))
			must(t, os.WriteFile(cluster, []byte("dear"), 0o600))
		}, []string{"is a file"}},
		"data directory is a file": {func(t *testing.T, data, _ string) {
			must(t, os.WriteFile(data, []byte("dear"), 0o600))
		}, []string{"is a file", "AGENTCHAT_DATA_DIR"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cluster := filepath.Join(cfg.DataDir, "postgres")
			c.prepare(t, cfg.DataDir, cluster)
			before := map[string]string{}
			if _, err := os.Stat(cluster); err == nil {
				before = snapshot(t, cluster)
			}
			refused(t, cfg, c.texts...)
			if len(before) > 0 {
				unchanged(t, cluster, before)
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

func TestClusterThatIsNotOurs(t *testing.T) {
	t.Parallel()
	cfg, cluster := made(t)
	must(t, os.Remove(filepath.Join(cluster, "agentchat.password")))
	before := snapshot(t, cluster)
	refused(t, cfg, "agentchat.password", "DATABASE_URL")
	unchanged(t, cluster, before)
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
