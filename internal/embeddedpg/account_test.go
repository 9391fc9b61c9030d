package embeddedpg_test

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

// asRoot skips a test that needs root.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start processes as another user")
	}
}

// credential returns the user for a helper process.
func credential(t *testing.T, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Skipf("there is no user %s: %v", name, err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	must(t, err)
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	must(t, err)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{uint32(gid)}}
}

func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no owner")
	}
	return st.Uid
}

// TestRootRunsPostgreSQLAsAnotherUser also shows that a restrictive umask does not hide new
// directories from that user.
func TestRootRunsPostgreSQLAsAnotherUser(t *testing.T) {
	t.Parallel()
	asRoot(t)
	cfg := config(t)
	cfg.DataDir = filepath.Join(cfg.DataDir, "deep", "er")
	s := start(t, cfg)
	for _, dir := range []string{cfg.DataDir, filepath.Dir(cfg.DataDir)} {
		info, err := os.Stat(dir)
		must(t, err)
		if info.Mode().Perm() != 0o711 {
			t.Errorf("%s has mode %v", dir, info.Mode().Perm())
		}
	}
	uid := ownerOf(t, filepath.Join(cfg.DataDir, "postgres"))
	if uid == 0 {
		t.Error("the cluster belongs to root")
	}
	if got := ownerOf(t, filepath.Join("/proc", strconv.Itoa(backend(t, s.URL())))); got != uid {
		t.Errorf("PostgreSQL runs as %d, its files belong to %d", got, uid)
	}
	for _, file := range []string{"lock", "postgres.log"} {
		if ownerOf(t, filepath.Join(cfg.DataDir, file)) != 0 {
			t.Errorf("%s does not belong to root", file)
		}
	}
}

func TestRootAndADirectoryOutOfReach(t *testing.T) {
	t.Parallel()
	asRoot(t)
	closed := filepath.Join(openDir(t), "closed")
	must(t, os.Mkdir(closed, 0o700))
	cfg := config(t)
	cfg.DataDir = filepath.Join(closed, "data")
	refused(t, cfg, "cannot be reached by user", "cannot pass "+closed+")", "AGENTCHAT_DATA_DIR")
	if left, _ := filepath.Glob(filepath.Join(cfg.DataDir, "postgres*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestUnprivilegedUserThenRoot shows that a user other than root owns the cluster, the lock and the
// log itself. A later start by root continues as that user, and leaves no file that the user cannot
// open.
func TestUnprivilegedUserThenRoot(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	asRoot(t)
	nobody := credential(t, "nobody")
	cfg := config(t)
	must(t, os.Mkdir(cfg.DataDir, 0o755))
	must(t, os.Chown(cfg.DataDir, int(nobody.Uid), int(nobody.Gid)))
	o := order{Kind: "service", DataDir: cfg.DataDir}
	h := startHelper(t, o, nobody).ready(t)
	write(t, h.URL)
	h.end(t)

	for _, file := range []string{"lock", "postgres.log"} {
		must(t, os.Remove(filepath.Join(cfg.DataDir, file))) // root creates them now
	}
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	note(t, s.URL())
	stop(t, s)

	h = startHelper(t, o, nobody).ready(t)
	note(t, h.URL)
	h.end(t)
	if got := ownerOf(t, filepath.Join(cfg.DataDir, "postgres")); got != nobody.Uid {
		t.Errorf("the cluster belongs to %d", got)
	}
}

func TestUnprivilegedUserAndForeignDirectories(t *testing.T) {
	t.Parallel()
	asRoot(t)
	nobody := credential(t, "nobody")
	for name, c := range map[string]struct {
		dir   func(t *testing.T) string
		texts []string
	}{
		"not writable": {openDir, []string{"not writable", "AGENTCHAT_DATA_DIR"}},
		"cannot be made": {func(t *testing.T) string {
			t.Helper()
			return filepath.Join(openDir(t), "data")
		}, []string{"cannot be made", "AGENTCHAT_DATA_DIR"}},
		"root's lock": {func(t *testing.T) string {
			t.Helper()
			return existing(t).DataDir
		}, []string{"run as the user that made it"}},
		"another user's cluster": {func(t *testing.T) string {
			t.Helper()
			cfg := existing(t)
			if ownerOf(t, filepath.Join(cfg.DataDir, "postgres")) == nobody.Uid {
				t.Skip("without a user postgres, the cluster already belongs to this user")
			}
			must(t, os.Chmod(cfg.DataDir, 0o777))
			must(t, os.Remove(filepath.Join(cfg.DataDir, "lock")))
			return cfg.DataDir
		}, []string{"belongs to", "run the service as"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := c.dir(t)
			h := startHelper(t, order{Kind: "service", DataDir: dir}, nobody)
			h.readAnswer(t)
			oneLine(t, h.Error, append(c.texts, dir)...)
		})
	}
}

// TestClusterThatBelongsToRoot starts a cluster that was restored from a copy and may belong to
// root.
func TestClusterThatBelongsToRoot(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	asRoot(t)
	cfg, cluster := made(t)
	must(t, filepath.WalkDir(cluster, func(path string, _ fs.DirEntry, err error) error {
		must(t, err)
		return os.Lchown(path, 0, 0)
	}))
	note(t, start(t, cfg).URL())
	if ownerOf(t, cluster) == 0 {
		t.Error("the cluster still belongs to root")
	}
}

// TestProgramsOutOfReachAreCopied shows that the programs are copied once, and that the copy works
// without the original.
func TestProgramsOutOfReachAreCopied(t *testing.T) {
	t.Parallel()
	asRoot(t)
	closed := filepath.Join(openDir(t), "closed")
	must(t, os.Mkdir(closed, 0o700))
	npm := npmIn(t, closed)
	cfg := embeddedpg.WithPlaces(embeddedpg.WithPath(config(t), ""))
	cfg.NPMDirs = []string{npm}
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	write(t, s.URL())
	stop(t, s)
	postgres := filepath.Join(cfg.DataDir, "postgresql-18.4", "bin", "postgres")
	first, err := os.Stat(postgres)
	must(t, err)
	if ownerOf(t, postgres) != 0 || first.Mode().Perm() != 0o755 {
		t.Errorf("the copy has mode %v, or does not belong to root", first.Mode())
	}

	s, err = embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	note(t, s.URL())
	stop(t, s)
	second, err := os.Stat(postgres)
	must(t, err)
	if !os.SameFile(first, second) {
		t.Error("it was copied again")
	}
	if left, _ := filepath.Glob(filepath.Join(cfg.DataDir, ".copy-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}

	must(t, os.RemoveAll(closed))
	cfg.NPMDirs = []string{}
	note(t, start(t, cfg).URL())
}
