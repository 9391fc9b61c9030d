package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"agentchat/internal/embeddedpg"
)

// Programs is a copy of PostgreSQL's programs. A test can replace them under a running server, as a
// package upgrade does.
type Programs struct {
	t testing.TB
	// BinDir holds the programs, Libraries the libraries that a new backend loads.
	BinDir, Libraries string
	// Next is the directory of the original programs, which run after an upgrade.
	Next string
}

// CopyPrograms copies PostgreSQL's programs.
func CopyPrograms(t testing.TB) *Programs {
	t.Helper()
	s, err := embeddedpg.Start(t.Context(), ClusterConfig(DataDir(t)))
	must(t, err)
	defer func() { must(t, s.Stop(t.Context())) }()
	var bin, libraries, share string
	must(t, Open(t, s.AdminURL()).SQL().QueryRowContext(t.Context(),
		`SELECT max(setting) FILTER (WHERE name = 'BINDIR'),
		max(setting) FILTER (WHERE name = 'PKGLIBDIR'), max(setting) FILTER (WHERE name = 'SHAREDIR')
			FROM pg_config`).
		Scan(&bin, &libraries, &share))
	root := DataDir(t)
	// A server finds the other directories relative to its program.
	for _, dir := range []string{bin, libraries, share} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, dir)), 0o755))
	}
	must(t, exec.CommandContext(t.Context(), "cp", "-a", bin, filepath.Join(root, bin)).Run())
	must(t, exec.CommandContext(t.Context(), "cp", "-a", libraries,
		filepath.Join(root, libraries)).Run())
	must(t, os.Symlink(share, filepath.Join(root, share)))
	return &Programs{t: t, BinDir: filepath.Join(root, bin), Libraries: filepath.Join(root, libraries),
		Next: bin}
}

// Replace replaces a file atomically, as a package manager does.
func (p *Programs) Replace(path string, content []byte) {
	p.t.Helper()
	// A process that is forked while the file is open for writing keeps it open, and then the file
	// cannot be executed.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path+".dpkg-new", content, 0o755)
	syscall.ForkLock.RUnlock()
	must(p.t, err)
	must(p.t, os.Chmod(path+".dpkg-new", 0o755)) // whatever the umask
	must(p.t, os.Rename(path+".dpkg-new", path))
}

// ReplaceLibraries installs libraries that new backends of the running server cannot load.
func (p *Programs) ReplaceLibraries() {
	p.t.Helper()
	for _, name := range []string{"dict_snowball.so", "libpqwalreceiver.so", "plpgsql.so"} {
		p.Replace(filepath.Join(p.Libraries, name), []byte("of another version"))
	}
}

// ReplaceServer replaces the server's program with a script that runs commands and then the
// original program.
func (p *Programs) ReplaceServer(commands string) {
	p.t.Helper()
	p.Replace(filepath.Join(p.BinDir, "postgres"),
		[]byte("#!/bin/sh\n"+commands+"\nexec "+filepath.Join(p.Next, "postgres")+" \"$@\"\n"))
}
