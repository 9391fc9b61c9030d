package embeddedpg

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
)

// copyPrefix is the prefix of directories that hold a copy of PostgreSQL's programs.
const copyPrefix = "postgresql-"

// copyBinaries copies the tree around b (its bin, lib and share; PostgreSQL finds the others
// relative to its bin) into the data directory, owned by root and readable by all users. It reuses
// an existing copy.
func (c *cluster) copyBinaries(ctx context.Context, b binaries, acct account) (binaries, error) {
	target := filepath.Join(c.dir, copyPrefix+b.version)
	done := binaries{dir: filepath.Join(target, "bin"), version: b.version, major: b.major}
	if copied, err := probe(ctx, done.dir); err == nil && copied.version == b.version {
		if _, err := runVersion(ctx, done.dir, acct); err == nil {
			return done, nil
		}
	}
	c.log.Info("copying PostgreSQL to a directory that its user can read",
		slog.String("version", b.version), slog.String("directory", target))
	tmp, err := os.MkdirTemp(c.dir, ".copy-")
	if err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL cannot be copied to %s: %w", c.dir, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := copyTree(filepath.Dir(b.dir), filepath.Join(tmp, "all")); err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL cannot be copied to %s: %w", c.dir, err)
	}
	if err := os.RemoveAll(target); err != nil {
		return binaries{}, fmt.Errorf("the broken copy %s cannot be replaced: %w", target, err)
	}
	if err := os.Rename(filepath.Join(tmp, "all"), target); err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL cannot be copied to %s: %w", target, err)
	}
	if _, err := runVersion(ctx, done.dir, acct); err != nil {
		return binaries{}, fmt.Errorf("user %s cannot run the copy of PostgreSQL: %w", acct.name, err)
	}
	return done, nil
}

// copyTree copies files, directories and links. All users may read the copy, whatever the
// original's mode.
func copyTree(from, to string) error {
	// A process that is started meanwhile would hold the copies open for writing until it executes its
	// own program, and a file that is open for writing cannot be executed ("text file busy").
	syscall.ForkLock.RLock()
	err := os.CopyFS(to, os.DirFS(from))
	syscall.ForkLock.RUnlock()
	if err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() == fs.ModeSymlink {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if entry.IsDir() || info.Mode().Perm()&0o100 != 0 {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
}
