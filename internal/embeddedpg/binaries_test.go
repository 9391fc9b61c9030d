package embeddedpg_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

// realBinDir returns the program folder and the version of a PostgreSQL on this machine.
func realBinDir(t *testing.T) (dir, version string) {
	t.Helper()
	s, err := embeddedpg.Start(t.Context(), config(t))
	must(t, err)
	defer stop(t, s)
	exe := text(t, s.AdminURL(), "SELECT setting FROM pg_config WHERE name = 'BINDIR'")
	return exe, s.Version()
}

// npmPackage returns the folder of the npm package's programs, if deploy/postgres/install has
// installed it.
func npmPackage(t *testing.T) (native string) {
	t.Helper()
	for _, dir := range embeddedpg.DefaultNPMDirs() {
		bin := embeddedpg.NPMBinDir(dir)
		if _, err := os.Stat(filepath.Join(bin, "postgres")); err == nil {
			return filepath.Dir(bin)
		}
	}
	t.Skip("PostgreSQL from npm is not installed in deploy/postgres")
	return ""
}

// npmIn copies the npm package to its place below dir, which is then a folder for NPMDirs.
func npmIn(t *testing.T, dir string) string {
	t.Helper()
	bin := embeddedpg.NPMBinDir(dir)
	must(t, os.MkdirAll(filepath.Dir(filepath.Dir(bin)), 0o755))
	must(t, embeddedpg.CopyTree(npmPackage(t), filepath.Dir(bin)))
	return dir
}

func TestNoPostgreSQL(t *testing.T) {
	t.Parallel()
	cfg := embeddedpg.WithPlaces(embeddedpg.WithPath(config(t), openDir(t)))
	cfg.NPMDirs = []string{}
	refused(t, cfg, "PostgreSQL 14", "Debian package postgresql", "npm ci in deploy/postgres",
		"DATABASE_URL")
}

func TestBinDirMustBeUsable(t *testing.T) {
	t.Parallel()
	incomplete := openDir(t)
	writeProgram(t, filepath.Join(incomplete, "initdb"), []byte("#!/bin/sh\n"))
	old := openDir(t)
	for _, p := range []string{"initdb", "pg_ctl", "postgres"} {
		writeProgram(t, filepath.Join(old, p), []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 13.22'\n"))
	}
	for name, c := range map[string]struct{ dir, says string }{
		"absent":     {filepath.Join(incomplete, "nowhere"), "missing"},
		"incomplete": {incomplete, "pg_ctl"},
		"too old":    {old, "13.22"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cfg.BinDir = c.dir
			refused(t, cfg, "AGENTCHAT_POSTGRES_BIN="+c.dir, c.says)
		})
	}
}

// TestProgramsAreFound shows that links on PATH are followed and that the usual places are
// searched.
func TestProgramsAreFound(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	resolved, version := realBinDir(t)
	links := openDir(t)
	// Only this one is linked: the other programs are in the folder of its target.
	must(t, os.Symlink(filepath.Join(resolved, "postgres"), filepath.Join(links, "postgres")))
	for path, places := range map[string][]string{links: nil,
		"": {filepath.Join(openDir(t), "*"), resolved}} {
		cfg := embeddedpg.WithPlaces(embeddedpg.WithPath(config(t), path), places...)
		cfg.NPMDirs = []string{}
		if s := start(t, cfg); s.Version() != version {
			t.Errorf("version %s instead of %s", s.Version(), version)
		}
	}
}

// TestMajorVersionOfTheClusterComesFirst shows that the cluster's own major version is preferred
// everywhere, even to AGENTCHAT_POSTGRES_BIN.
func TestMajorVersionOfTheClusterComesFirst(t *testing.T) {
	t.Parallel()
	npm := npmIn(t, openDir(t))
	resolved, version := realBinDir(t)
	if strings.HasPrefix(version, "18") {
		t.Skip("there is only one major version here")
	}
	cfg := embeddedpg.WithPlaces(embeddedpg.WithPath(config(t), ""))
	cfg.NPMDirs = []string{npm}
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	if s.Version() != "18.4" {
		t.Errorf("version %s", s.Version())
	}
	write(t, s.URL())
	// The built-in provider knows letters beyond ASCII on every system.
	if got := text(t, s.URL(), "SELECT lower('Ä')"); got != "ä" {
		t.Errorf("lower: %q", got)
	}
	stop(t, s)

	cfg.BinDir = resolved
	note(t, start(t, embeddedpg.WithPath(cfg, resolved)).URL())

	other := embeddedpg.WithPlaces(embeddedpg.WithPath(config(t), resolved))
	other.NPMDirs = []string{npm}
	if s := start(t, other); s.Version() != version {
		t.Errorf("a new cluster has version %s, not that on PATH", s.Version())
	}
}

func TestDefaultNPMDirs(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must(t, err)
	if dirs := embeddedpg.DefaultNPMDirs(); !slices.Contains(dirs, filepath.Join(root, "deploy", "postgres")) {
		t.Errorf("the source tree's folder is not among %v", dirs)
	}
}

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n": "15.18 15",
		"postgres (PostgreSQL) 18.4\n":                           "18.4 18",
		"postgres (PostgreSQL) 19beta1\n":                        "19beta1 19",
		"postgres (PostgreSQL) 9.6.24\n":                         "9.6.24 9",
	} {
		version, major, err := embeddedpg.ParseVersion(text)
		must(t, err)
		if got := version + " " + strconv.Itoa(major); got != want {
			t.Errorf("%q is %s", text, got)
		}
	}
	for _, text := range []string{"", "postgres", "psql 15"} {
		if _, _, err := embeddedpg.ParseVersion(text); err == nil {
			t.Errorf("%q has a version", text)
		}
	}
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"9.6", "14", "18", "9.10", "17"} {
		must(t, os.MkdirAll(filepath.Join(dir, name, "bin"), 0o755))
	}
	var got []string
	for _, path := range embeddedpg.NewestFirst(filepath.Join(dir, "*", "bin")) {
		got = append(got, filepath.Base(filepath.Dir(path)))
	}
	if want := []string{"18", "17", "14", "9.10", "9.6"}; !slices.Equal(got, want) {
		t.Errorf("order %v", got)
	}
}
