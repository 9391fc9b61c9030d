package embeddedpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the operating system user that PostgreSQL runs as.
type account struct {
	name string
	uid  uint32
	gid  uint32
	// drop is set when this process is root, because the child must not be.
	drop bool
}

// attributes make a child run as the account and in a new session, so that Ctrl-C on the terminal
// reaches the service but not its database.
func (a account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if a.drop {
		attr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: []uint32{a.gid}}
	}
	return attr
}

// give makes the account the owner of a path.
func (a account) give(path string) error {
	if !a.drop {
		return nil
	}
	return os.Lchown(path, int(a.uid), int(a.gid))
}

// account picks the user: that of this process, or for root, which PostgreSQL refuses, the first
// that exists of the owner of the cluster and fallbackAccounts.
func (c *cluster) account(state clusterState) (account, error) {
	if !c.asRoot {
		self := account{name: "this user", uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}
		if state.major != 0 && state.uid != self.uid {
			return account{}, fmt.Errorf("the cluster %s belongs to %s: run the service as that user, or choose another "+
				"directory with AGENTCHAT_DATA_DIR", c.pgdata, userName(state.uid))
		}
		return self, nil
	}
	acct, err := pickAccount(state)
	if err != nil {
		return account{}, err
	}
	if blocked := unreachable(c.dir, acct); blocked != "" {
		return account{}, fmt.Errorf("the data directory %s cannot be reached by user %s, which runs PostgreSQL because root "+
			"must not (it cannot pass %s): choose another with AGENTCHAT_DATA_DIR", c.dir, acct.name, blocked)
	}
	return acct, nil
}

// fixOwner gives the account a cluster that belongs to root, because it was restored from a copy.
func (c *cluster) fixOwner(state clusterState, acct account) error {
	if !acct.drop || state.uid != 0 {
		return nil
	}
	err := filepath.WalkDir(c.pgdata, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return acct.give(path)
	})
	if err != nil {
		return fmt.Errorf("the cluster %s cannot be given to user %s: %w", c.pgdata, acct.name, err)
	}
	return nil
}

// fallbackAccounts are the users that run a new cluster if this process is root, in order of
// preference.
var fallbackAccounts = []string{"postgres", "nobody"}

func pickAccount(state clusterState) (account, error) {
	if state.major != 0 && state.uid != 0 {
		return account{name: userName(state.uid), uid: state.uid, gid: state.gid, drop: true}, nil
	}
	for _, name := range fallbackAccounts {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errU := strconv.ParseUint(u.Uid, 10, 32)
		gid, errG := strconv.ParseUint(u.Gid, 10, 32)
		if errU == nil && errG == nil && uid != 0 {
			return account{name: name, uid: uint32(uid), gid: uint32(gid), drop: true}, nil
		}
	}
	return account{}, errors.New("PostgreSQL does not run as root: create a user postgres, " +
		"run the service as another user, or set DATABASE_URL")
}

// unreachable returns the first directory on the path to dir, including dir, that the account
// cannot enter; empty if it can enter all of them. It checks the permission bits, not access
// control lists.
func unreachable(dir string, a account) string {
	path := string(filepath.Separator)
	for _, part := range append([]string{""}, strings.Split(strings.Trim(dir, "/"), "/")...) {
		path = filepath.Join(path, part)
		info, err := os.Stat(path)
		if err != nil || !mayPass(info, a) {
			return path
		}
	}
	return ""
}

func mayPass(info fs.FileInfo, a account) bool {
	mode := info.Mode().Perm()
	uid, gid := owner(info)
	switch {
	case uid == a.uid:
		return mode&0o100 != 0
	case gid == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// owner returns a file's owner on Unix.
func owner(info fs.FileInfo) (uid, gid uint32) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Uid, st.Gid
	}
	return uint32(os.Geteuid()), uint32(os.Getegid())
}

// openOwn opens or creates a file of the data directory that only its owner can read. A file
// created by root belongs to the directory's owner, so that a command run by root does not lock out
// another user's service. It does not follow links.
func openOwn(path string, flag int) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, flag|syscall.O_NOFOLLOW, 0)
		if !errors.Is(err, os.ErrNotExist) {
			return f, err
		}
		f, err = os.OpenFile(path, flag|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue // another process has just made it
		}
		if err != nil || os.Geteuid() != 0 {
			return f, err
		}
		info, err := os.Stat(filepath.Dir(path))
		if err == nil {
			uid, gid := owner(info)
			err = f.Chown(int(uid), int(gid))
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
}

func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}
