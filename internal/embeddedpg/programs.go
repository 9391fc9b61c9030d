package embeddedpg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// snapshot is the state of PostgreSQL's files at one moment, by path: the program, and the
// libraries that new backends load. It omits missing files, because a package manager replaces
// files one by one.
type snapshot map[string]fs.FileInfo

// takeSnapshot follows links. If libraries is empty, it takes only the program.
func takeSnapshot(program, libraries string) snapshot {
	paths := []string{program}
	entries, _ := os.ReadDir(libraries) // a directory that is missing for the moment has no files
	for _, entry := range entries {
		paths = append(paths, filepath.Join(libraries, entry.Name()))
	}
	s := snapshot{}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			s[path] = info
		}
	}
	return s
}

// replaced reports whether a file that is in both snapshots was replaced.
func (s snapshot) replaced(now snapshot) bool {
	for path, was := range s {
		is, there := now[path]
		if there && (!os.SameFile(was, is) || was.Size() != is.Size() ||
			!was.ModTime().Equal(is.ModTime())) {
			return true
		}
	}
	return false
}

func (s snapshot) equal(now snapshot) bool {
	for path := range s {
		if _, there := now[path]; !there {
			return false
		}
	}
	return len(s) == len(now) && !s.replaced(now)
}

// hasLanguage reports whether the language of the service's functions, PL/pgSQL, is present.
func (s snapshot) hasLanguage() bool {
	for path := range s {
		if strings.HasPrefix(filepath.Base(path), "plpgsql.") {
			return true
		}
	}
	return false
}

// upgrade is a detected replacement of the programs.
type upgrade struct {
	// files is their state at the last check, and since the time of their last change.
	files snapshot
	since time.Time
	// refused means that the log already says why they cannot be used.
	refused bool
}

// pauseFunc keeps the service from using the server until resume is called. It returns once the
// server is idle, or after a time limit.
type pauseFunc = func(context.Context) (resume func())

// FollowPrograms makes the server restart, on its port, after its programs were replaced, for
// example by an upgrade of their package: the running server would continue as the old program,
// whose new backends cannot load the new libraries. It calls pause before, and resume after the
// restart. Call it once, on a server that Start returned.
func (s *Server) FollowPrograms(pause pauseFunc) { s.follow <- pause }

// LookAtPrograms checks for replaced programs now instead of at the next minute. It does not block.
func (s *Server) LookAtPrograms() {
	select {
	case s.look <- struct{}{}:
	default:
	}
}

// watchServer follows the programs. It closes Done if the server ends unexpectedly or cannot be
// restarted.
func (s *Server) watchServer(ctx context.Context) {
	var pause pauseFunc
	var found upgrade
	last, next := time.Now(), s.cluster.lookEvery()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pm.ended:
			close(s.done)
			return
		case pause = <-s.follow:
		case <-s.look:
			next = s.cluster.lookAgain() // not at once, because every failing chat calls LookAtPrograms
		case <-time.After(time.Until(last.Add(next))):
			last, next = time.Now(), s.cluster.lookEvery()
			if pause == nil {
				continue
			}
			var err error
			if next, err = s.followPrograms(ctx, &found, pause); err != nil && ctx.Err() == nil {
				s.cluster.log.Error("PostgreSQL cannot be started again", slog.Any("error", err))
				close(s.done)
			}
			if err != nil {
				return
			}
		}
	}
}

// followPrograms checks the programs, and restarts the server if they were replaced and have not
// changed for a while. It returns the time until the next check.
func (s *Server) followPrograms(ctx context.Context, found *upgrade,
	pause pauseFunc) (next time.Duration, err error) {
	now := takeSnapshot(s.bin.path("postgres"), s.libraries)
	switch {
	case !s.started.replaced(now):
		*found = upgrade{}
		return s.cluster.lookEvery(), nil
	case !found.files.equal(now):
		*found = upgrade{files: now, since: time.Now()}
		return s.cluster.lookAgain(), nil
	case time.Since(found.since) < s.cluster.stillFor():
		return s.cluster.lookAgain(), nil
	}
	bin, err := s.upgraded(ctx, now)
	if err != nil {
		if !found.refused {
			s.cluster.log.Warn("PostgreSQL's programs were replaced but cannot be used",
				slog.Any("error", err))
		}
		found.refused, found.since = true, time.Now()
		return s.cluster.stillFor(), nil
	}
	*found = upgrade{}
	return s.cluster.lookEvery(), s.restart(ctx, bin, pause)
}

// upgraded checks that the new programs are complete and can run the cluster.
func (s *Server) upgraded(ctx context.Context, now snapshot) (binaries, error) {
	// If the program is a link that was redirected, the libraries are elsewhere, too.
	if resolved, err := filepath.EvalSymlinks(s.bin.path("postgres")); err != nil ||
		resolved == s.program && !now.hasLanguage() {
		return binaries{}, cmp.Or(err, errors.New("the library plpgsql is missing"))
	}
	out, err := runVersion(ctx, s.bin.dir, s.acct)
	if err != nil {
		return binaries{}, err
	}
	version, major, err := parseVersion(out)
	if err == nil && major != s.bin.major {
		err = fmt.Errorf("they are PostgreSQL %s, and the cluster %s needs %d", version, s.cluster.pgdata,
			s.bin.major)
	}
	return binaries{dir: s.bin.dir, version: version, major: major}, err
}

// restart runs the replaced programs. The service pauses for little more than the shutdown and the
// start of PostgreSQL.
func (s *Server) restart(ctx context.Context, bin binaries, pause pauseFunc) error {
	log := s.cluster.log.With(slog.String("version", bin.version),
		slog.String("before", s.bin.version))
	log.Info("PostgreSQL's programs were replaced: restarting it")
	// Shortens the shutdown's checkpoint.
	_ = query(ctx, s.adminURL, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "CHECKPOINT")
		return err
	})
	wait, cancel := context.WithTimeout(ctx, restartWait)
	users := s.cluster.waitForUsers(wait)
	cancel()
	defer users.release()
	resume := pause(ctx)
	defer resume()
	began := time.Now()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), restartWait)
	defer cancel()
	if err := s.pm.shutdown(stop); err != nil {
		log.Warn("PostgreSQL did not stop in time", slog.Any("error", err))
	}
	s.bin = bin
	if err := s.run(ctx); err != nil {
		return err
	}
	log.Info("PostgreSQL was restarted", slog.Int64("ms", time.Since(began).Milliseconds()))
	return nil
}

func (c *cluster) lookEvery() time.Duration { return cmp.Or(c.cfg.lookEvery, lookEvery) }
func (c *cluster) stillFor() time.Duration  { return cmp.Or(c.cfg.stillFor, stillFor) }
func (c *cluster) lookAgain() time.Duration { return c.stillFor() / 20 }
