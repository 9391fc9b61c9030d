package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// copyPrefix begins the names of the folders in the data directory that hold a copy of PostgreSQL's programs.
const copyPrefix = "postgresql-"

// copyBinaries copies the tree around b (its bin, lib and share; PostgreSQL finds the others from where its bin lies) into
// the data directory, readable by everybody and owned by root. A copy that is there already is used again.
func (h *home) copyBinaries(ctx context.Context, b binaries, acct account) (binaries, error) {
	target := filepath.Join(h.dir, copyPrefix+b.version)
	done := binaries{dir: filepath.Join(target, "bin"), version: b.version, major: b.major}
	if copied, err := probe(ctx, done.dir); err == nil && copied.version == b.version {
		if _, err := runVersion(ctx, done.dir, acct); err == nil {
			return done, nil
		}
	}
	h.log.Info("copying PostgreSQL to where its user can reach it", slog.String("version", b.version), slog.String("directory", target))
	tmp, err := os.MkdirTemp(h.dir, ".copy-")
	if err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL cannot be copied to %s: %w", h.dir, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := copyTree(ctx, filepath.Dir(b.dir), filepath.Join(tmp, "all")); err != nil {
		return binaries{}, fmt.Errorf("PostgreSQL cannot be copied to %s: %w", h.dir, err)
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

// copyTree copies files, folders and links; everybody may read the copy, whatever the original's mode.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return errors.Join(os.Mkdir(target, 0o755), os.Chmod(target, 0o755)) //nolint:gosec // programs, for every user
		case e.Type() == fs.ModeSymlink:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case e.Type().IsRegular():
			return copyFile(path, target, e)
		}
		return nil
	})
}

func copyFile(from, to string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return err
	}
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	mode := os.FileMode(0o644)
	if info.Mode().Perm()&0o100 != 0 {
		mode = 0o755
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Chmod(mode), dst.Close())
}
