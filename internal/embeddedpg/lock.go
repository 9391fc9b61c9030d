package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The names of lock holders in the lock file.
const (
	holderService = "service"
	holderCommand = "command"
)

const (
	exclusive = syscall.LOCK_EX
	shared    = syscall.LOCK_SH
)

// errLocked means that another process holds a lock.
var errLocked = errors.New("held by another process")

// fileLock is a flock(2) on a file. The kernel releases it when its holder exits for any reason.
// PostgreSQL does not inherit it (the descriptor is closed on exec), so an orphan never holds it.
type fileLock struct {
	file *os.File
	mine bool // this process has written the file's text
}

// takeLock takes the lock without waiting. It returns errLocked if another open file holds it.
func takeLock(path string, how int) (*fileLock, error) {
	f, err := openOwn(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("flock %s: %w", path, err)
	}
	return &fileLock{file: f}, nil
}

// describe writes the holder's name to the lock file, for error messages of other processes. The
// lock does not depend on it, so a failure does not matter.
func (l *fileLock) describe(kind string) {
	l.mine = true
	text := strconv.Itoa(os.Getpid()) + " " + kind + "\n"
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(text), 0)
	}
}

// release releases the lock. A nil lock is not held.
func (l *fileLock) release() {
	if l == nil {
		return
	}
	if l.mine {
		_ = l.file.Truncate(0)
	}
	_ = l.file.Close()
}

// holder is the description of a lock's holder in its file.
type holder struct {
	pid  int
	kind string
}

// String names the holder in an error message.
func (h holder) String() string {
	if h.pid == 0 {
		return "another process"
	}
	return fmt.Sprintf("another agentchat (process %d)", h.pid)
}

// readHolder returns the holder of a lock, or the zero holder if it is unknown. It ignores a text
// whose process is gone.
func readHolder(path string) holder {
	f, err := os.Open(path)
	if err != nil {
		return holder{}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return holder{}
	}
	first, kind, ok := strings.Cut(strings.TrimSpace(string(text)), " ")
	pid, err := strconv.Atoi(first)
	if !ok || err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return holder{}
	}
	return holder{pid: pid, kind: kind}
}

// lockForService locks the data directory for a service. It fails at once if another service holds
// it, and waits if a command does.
func (c *cluster) lockForService(ctx context.Context) (*fileLock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	logged := false
	for {
		lock, err := takeLock(c.lockPath(), exclusive)
		if err == nil {
			lock.describe(holderService)
			return lock, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, c.lockError(err)
		}
		who := readHolder(c.lockPath())
		if who.kind == holderService {
			return nil, fmt.Errorf("the data directory %s is in use by %s: stop it first, or choose another with "+
				"AGENTCHAT_DATA_DIR", c.dir, who)
		}
		if !logged && who.pid != 0 {
			logged = true
			c.log.Info("waiting for a command that uses the database", slog.Int("pid", who.pid))
		}
		if err := pause(ctx, pollEvery); err != nil {
			return nil, fmt.Errorf("the data directory %s is still in use by %s: %w", c.dir, who, err)
		}
	}
}

func (c *cluster) lockError(err error) error {
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("the data directory %s is not writable by this user: choose another with AGENTCHAT_DATA_DIR "+
			"or run as the user that made it: %w", c.dir, err)
	}
	return fmt.Errorf("the data directory %s cannot be locked: %w", c.dir, err)
}
