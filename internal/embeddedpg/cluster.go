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
	passwordFile = "agentchat.password" // in the cluster's directory, so that the two are never apart
	initPrefix   = "postgres.init-"     // folders in which a cluster is being made
)

// clusterState is what the cluster's directory holds. major is 0 when there is no cluster yet.
type clusterState struct {
	major    int
	uid, gid uint32
}

// make creates the data directory and settles its canonical path, which the running server is recognised by.
func (h *home) make() error {
	mode := os.FileMode(0o700)
	if h.asRoot {
		mode = 0o711 // the user that runs PostgreSQL must get through
	}
	if info, err := os.Stat(h.dir); err == nil && !info.IsDir() {
		return fmt.Errorf("the data directory %s is a file: choose another with AGENTCHAT_DATA_DIR", h.dir)
	}
	if err := makeDirs(h.dir, mode); err != nil {
		return fmt.Errorf("the data directory %s cannot be made: choose another with AGENTCHAT_DATA_DIR: %w", h.dir, err)
	}
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return fmt.Errorf("the data directory %s cannot be found: %w", h.dir, err)
	}
	h.dir, h.cluster = dir, filepath.Join(dir, "postgres")
	return nil
}

// makeDirs is os.MkdirAll with the same mode whatever the umask, for the directories that it makes.
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
			return nil // said better by the lock
		}
		return err
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}

// inspect looks at the cluster's directory and changes nothing. A directory that holds anything but a cluster is refused.
func (h *home) inspect() (clusterState, error) {
	info, err := os.Stat(h.cluster)
	if errors.Is(err, os.ErrNotExist) {
		return clusterState{}, nil
	}
	if err != nil {
		return clusterState{}, fmt.Errorf("the database's directory %s cannot be read: %w", h.cluster, err)
	}
	if !info.IsDir() {
		return clusterState{}, fmt.Errorf("%s is a file, where the database's directory should be: move it away, or choose "+
			"another directory with AGENTCHAT_DATA_DIR", h.cluster)
	}
	text, err := os.ReadFile(filepath.Join(h.cluster, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		entries, err := os.ReadDir(h.cluster)
		if err != nil {
			return clusterState{}, fmt.Errorf("the database's directory %s cannot be read: %w", h.cluster, err)
		}
		if len(entries) == 0 {
			return clusterState{}, nil
		}
		return clusterState{}, fmt.Errorf("%s holds files but no PostgreSQL cluster, and was left as it is: move it away, or "+
			"choose another directory with AGENTCHAT_DATA_DIR", h.cluster)
	}
	if errors.Is(err, os.ErrPermission) {
		uid, _ := owner(info)
		return clusterState{}, fmt.Errorf("the cluster %s belongs to %s: run the service as the user that made it, or choose "+
			"another directory with AGENTCHAT_DATA_DIR: %w", h.cluster, userName(uid), err)
	}
	if err != nil {
		return clusterState{}, fmt.Errorf("the cluster %s cannot be read: %w", h.cluster, err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || major <= 0 {
		return clusterState{}, fmt.Errorf("the cluster %s is of a version that cannot be told from its PG_VERSION, and was "+
			"left as it is", h.cluster)
	}
	uid, gid := owner(info)
	return clusterState{major: major, uid: uid, gid: gid}, nil
}

// initCluster makes a new cluster in a folder beside its place and moves it there when it is whole, so that one that was
// interrupted is never mistaken for a cluster. What an earlier attempt left is removed.
func (h *home) initCluster(ctx context.Context, bin binaries, acct account) error {
	if old, err := filepath.Glob(filepath.Join(h.dir, initPrefix+"*")); err == nil {
		for _, dir := range old {
			_ = os.RemoveAll(dir)
		}
	}
	tmp, err := os.MkdirTemp(h.dir, initPrefix)
	if err != nil {
		return fmt.Errorf("the data directory %s is not writable: choose another with AGENTCHAT_DATA_DIR: %w", h.dir, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := acct.give(tmp); err != nil {
		return fmt.Errorf("the folder %s cannot be given to user %s: %w", tmp, acct.name, err)
	}
	password := rand.Text()
	pwfile := filepath.Join(tmp, passwordFile)
	if err := writeFile(pwfile, password+"\n"); err != nil {
		return fmt.Errorf("the database's password cannot be written: %w", err)
	}
	if err := acct.give(pwfile); err != nil {
		return fmt.Errorf("the database's password cannot be given to user %s: %w", acct.name, err)
	}
	h.log.Info("making a new PostgreSQL cluster", slog.String("directory", h.cluster), slog.String("version", bin.version))
	data := filepath.Join(tmp, "data")
	if err := h.runInitdb(ctx, bin, acct, tmp, data, pwfile); err != nil {
		return err
	}
	if err := os.Rename(pwfile, filepath.Join(data, passwordFile)); err != nil {
		return fmt.Errorf("the database's password cannot be kept: %w", err)
	}
	if err := os.Remove(h.cluster); err != nil && !errors.Is(err, os.ErrNotExist) { // it is empty: inspect has looked
		return fmt.Errorf("the directory %s is no longer empty: %w", h.cluster, err)
	}
	if err := os.Rename(data, h.cluster); err != nil {
		return fmt.Errorf("the new cluster cannot be moved to %s: %w", h.cluster, err)
	}
	return syncDir(h.dir)
}

// runInitdb makes the cluster in data. Collations go by code point in every version, so that no change of the C library
// ever reorders an index; letters beyond ASCII still have a case, where the system or PostgreSQL itself (17 and later)
// offers C.UTF-8.
func (h *home) runInitdb(ctx context.Context, bin binaries, acct account, tmp, data, pwfile string) error {
	args := []string{
		"--pgdata=" + data, "--username=" + superuser, "--pwfile=" + pwfile, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions",
	}
	if h.cfg.Settings["fsync"] == "off" {
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

func initdb(ctx context.Context, bin binaries, acct account, dir string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, bin.path("initdb"), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, environment(dir), acct.attributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killWait
	err := cmd.Run()
	return out.String(), err
}

// environment is what PostgreSQL's programs see: none of the service's own variables, which hold secrets, and none of
// the PG ones, which would change what they do.
func environment(homeDir string) []string {
	env := []string{"HOME=" + homeDir, "LC_ALL=C"}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// readPassword reads the superuser's password, which initCluster keeps in the cluster.
func (h *home) readPassword() (string, error) {
	path := filepath.Join(h.cluster, passwordFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("the cluster %s has no file %s, so it was not made by agentchat: choose another directory with "+
			"AGENTCHAT_DATA_DIR, or run that cluster yourself and set DATABASE_URL", h.cluster, passwordFile)
	}
	if err != nil {
		return "", fmt.Errorf("the database's password cannot be read: run as the user that made %s: %w", h.dir, err)
	}
	return strings.TrimSpace(string(text)), nil
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
