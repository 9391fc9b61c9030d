package embeddedpg

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// Each role's password is in the cluster's directory, so that they stay together.
	passwordFile          = "agentchat.password"
	superuserPasswordFile = "postgres.password"

	initPrefix = "postgres.init-" // directories of clusters that are being made
)

// clusterState is the state of the cluster's directory. major is 0 if there is no cluster yet.
type clusterState struct {
	major    int
	uid, gid uint32
}

// makeDataDir creates the data directory and finds its canonical path, by which isPostmaster
// recognizes the running server.
func (c *cluster) makeDataDir() error {
	mode := os.FileMode(0o700)
	if c.asRoot {
		mode = 0o711 // the user that runs PostgreSQL must pass it
	}
	if info, err := os.Stat(c.dir); err == nil && !info.IsDir() {
		return fmt.Errorf("the data directory %s is a file: choose another with AGENTCHAT_DATA_DIR",
			c.dir)
	}
	if err := makeDirs(c.dir, mode); err != nil {
		return fmt.Errorf("the data directory %s cannot be made: choose another with AGENTCHAT_DATA_DIR: %w", c.dir, err)
	}
	dir, err := filepath.EvalSymlinks(c.dir)
	if err != nil {
		return fmt.Errorf("the data directory %s cannot be found: %w", c.dir, err)
	}
	c.dir, c.pgdata = dir, filepath.Join(dir, "postgres")
	return nil
}

// makeDirs is os.MkdirAll, except that the umask does not affect the mode of new directories.
func makeDirs(dir string, mode os.FileMode) error {
	err := os.Mkdir(dir, mode)
	if errors.Is(err, os.ErrNotExist) && dir != filepath.Dir(dir) {
		if err := makeDirs(filepath.Dir(dir), mode); err != nil {
			return err
		}
		err = os.Mkdir(dir, mode)
	}
	if errors.Is(err, os.ErrExist) {
		_, err = os.ReadDir(dir)
		if errors.Is(err, os.ErrPermission) {
			return nil // taking the lock gives a better message
		}
		return err
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}

// inspect reads the cluster's directory and changes nothing. It refuses a directory that contains
// anything but a cluster.
func (c *cluster) inspect() (clusterState, error) {
	info, err := os.Stat(c.pgdata)
	if errors.Is(err, os.ErrNotExist) {
		return clusterState{}, nil
	}
	if err != nil {
		return clusterState{}, fmt.Errorf("the database's directory %s cannot be read: %w", c.pgdata, err)
	}
	if !info.IsDir() {
		return clusterState{}, fmt.Errorf("%s is a file, where the database's directory should be: move it away, or choose "+
			"another directory with AGENTCHAT_DATA_DIR", c.pgdata)
	}
	text, err := os.ReadFile(filepath.Join(c.pgdata, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		entries, err := os.ReadDir(c.pgdata)
		if err != nil {
			return clusterState{}, fmt.Errorf("the database's directory %s cannot be read: %w", c.pgdata,
				err)
		}
		if len(entries) == 0 {
			return clusterState{}, nil
		}
		return clusterState{}, fmt.Errorf("%s contains files but no PostgreSQL cluster. Nothing was changed: move it away, or "+
			"choose another directory with AGENTCHAT_DATA_DIR", c.pgdata)
	}
	if errors.Is(err, os.ErrPermission) {
		uid, _ := owner(info)
		return clusterState{}, fmt.Errorf("the cluster %s belongs to %s: run the service as the user that made it, or choose "+
			"another directory with AGENTCHAT_DATA_DIR: %w", c.pgdata, userName(uid), err)
	}
	if err != nil {
		return clusterState{}, fmt.Errorf("the cluster %s cannot be read: %w", c.pgdata, err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || major <= 0 {
		return clusterState{}, fmt.Errorf("the PG_VERSION of the cluster %s does not name a version. Nothing was "+
			"changed", c.pgdata)
	}
	uid, gid := owner(info)
	return clusterState{major: major, uid: uid, gid: gid}, nil
}

// initCluster makes a new cluster in a temporary directory and moves it to its place when it is
// complete, so that an interrupted one is never mistaken for a cluster. It removes the remains of
// earlier attempts.
func (c *cluster) initCluster(ctx context.Context, bin binaries, acct account) error {
	if old, err := filepath.Glob(filepath.Join(c.dir, initPrefix+"*")); err == nil {
		for _, dir := range old {
			_ = os.RemoveAll(dir)
		}
	}
	tmp, err := os.MkdirTemp(c.dir, initPrefix)
	if err != nil {
		return fmt.Errorf("the data directory %s is not writable: choose another with AGENTCHAT_DATA_DIR: %w", c.dir, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := acct.give(tmp); err != nil {
		return fmt.Errorf("the directory %s cannot be given to user %s: %w", tmp, acct.name, err)
	}
	for _, name := range []string{passwordFile, superuserPasswordFile} {
		path := filepath.Join(tmp, name)
		if err := writeFile(path, rand.Text()+"\n"); err != nil {
			return fmt.Errorf("the database's passwords cannot be written: %w", err)
		}
		if err := acct.give(path); err != nil {
			return fmt.Errorf("the database's passwords cannot be given to user %s: %w", acct.name, err)
		}
	}
	c.log.Info("making a new PostgreSQL cluster", slog.String("directory", c.pgdata),
		slog.String("version", bin.version))
	data := filepath.Join(tmp, "data")
	if err := c.runInitdb(ctx, bin, acct, tmp, data); err != nil {
		return err
	}
	for _, name := range []string{passwordFile, superuserPasswordFile} {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(data, name)); err != nil {
			return fmt.Errorf("the database's passwords cannot be kept: %w", err)
		}
	}
	// It is empty, as inspect found.
	if err := os.Remove(c.pgdata); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the directory %s is no longer empty: %w", c.pgdata, err)
	}
	if err := os.Rename(data, c.pgdata); err != nil {
		return fmt.Errorf("the new cluster cannot be moved to %s: %w", c.pgdata, err)
	}
	return syncDir(c.dir)
}

// runInitdb makes the cluster in data. Text is ordered by code point, so that a new C library never
// reorders an index. Letters beyond ASCII still have upper and lower case if the system or
// PostgreSQL itself (17 and later) has C.UTF-8.
func (c *cluster) runInitdb(ctx context.Context, bin binaries, acct account,
	tmp, data string) error {
	args := []string{
		"--pgdata=" + data, "--username=" + superuser, "--pwfile=" + filepath.Join(tmp, superuserPasswordFile), "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions",
	}
	if c.cfg.Settings["fsync"] == "off" {
		args = append(args, "--no-sync")
	}
	letters := []string{"--lc-ctype=C.UTF-8"}
	if bin.major >= 17 {
		letters = []string{"--locale-provider=builtin", "--builtin-locale=C.UTF-8"}
	}
	out, err := initdb(ctx, bin, acct, tmp, append(args[:len(args):len(args)], letters...))
	if err != nil && ctx.Err() == nil && strings.Contains(out, "locale name") {
		_ = os.RemoveAll(data)
		out, err = initdb(ctx, bin, acct, tmp, args)
	}
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("making the PostgreSQL cluster was interrupted: %w", ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("initdb of PostgreSQL %s failed (%w): %s", bin.version, err, lastLines(out, 5))
	}
	return nil
}

func initdb(ctx context.Context, bin binaries, acct account, dir string,
	args []string) (string, error) {
	cmd := exec.CommandContext(ctx, bin.path("initdb"), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, environment(dir), acct.attributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killWait
	err := cmd.Run()
	return out.String(), err
}

// environment returns the environment of PostgreSQL's programs. It omits the service's own
// variables, because some are secrets, and the PG variables, because they change what the programs
// do.
func environment(homeDir string) []string {
	env := []string{"HOME=" + homeDir, "LC_ALL=C"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// passwords holds the passwords of the two roles.
type passwords struct{ app, superuser string }

// readPasswords reads the passwords that initCluster has stored in the cluster.
func (c *cluster) readPasswords() (p passwords, err error) {
	for name, password := range map[string]*string{
		passwordFile:          &p.app,
		superuserPasswordFile: &p.superuser,
	} {
		text, err := os.ReadFile(filepath.Join(c.pgdata, name))
		if errors.Is(err, os.ErrNotExist) {
			return p, fmt.Errorf("the cluster %s has no file %s, so this version of agentchat did not make it: choose another "+
				"directory with AGENTCHAT_DATA_DIR, or run that cluster yourself and set DATABASE_URL", c.pgdata, name)
		}
		if err != nil {
			return p, fmt.Errorf("the database's passwords cannot be read: run as the user that made %s: %w",
				c.dir, err)
		}
		*password = strings.TrimSpace(string(text))
	}
	return p, nil
}

func writeFile(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
