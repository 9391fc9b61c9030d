package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	superuser   = "postgres"  // the role that owns the cluster, and the database it has from the start
	appRole     = "agentchat" // the service's role
	appDatabase = "agentchat"
)

const connectWait = 10 * time.Second

// verify makes sure that the server at url runs the cluster, with the settings that are wanted.
func verify(ctx context.Context, url, cluster, fingerprint string) error {
	return query(ctx, url, func(ctx context.Context, conn *pgx.Conn) error {
		var dir, print string
		err := conn.QueryRow(ctx, "SELECT current_setting('data_directory'), coalesce(current_setting($1, true), '')",
			fingerprintSetting).Scan(&dir, &print)
		if err != nil {
			return err
		}
		if !sameFile(dir, cluster) {
			return fmt.Errorf("it serves another directory (%s)", dir)
		}
		if print != fingerprint {
			return errors.New("it runs with other programs or settings")
		}
		return nil
	})
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// ensureDatabase makes the service's role and its database unless they are there. The role has the same password as the
// superuser: what it keeps apart are rights, so that no statement of the service reaches beyond its databases.
func ensureDatabase(ctx context.Context, url, password string) error {
	err := query(ctx, url, func(ctx context.Context, conn *pgx.Conn) error {
		var role, database bool
		err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1), "+
			"EXISTS (SELECT FROM pg_database WHERE datname = $2)", appRole, appDatabase).Scan(&role, &database)
		if err != nil {
			return err
		}
		if !role {
			// The password is letters and digits (rand.Text), and a CREATE ROLE takes no parameters.
			if _, err := conn.Exec(ctx, "CREATE ROLE "+appRole+" LOGIN CREATEDB PASSWORD '"+password+"'"); err != nil {
				return err
			}
		}
		if !database {
			_, err = conn.Exec(ctx, "CREATE DATABASE "+appDatabase+" OWNER "+appRole)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the database %s cannot be made ready: %w", appDatabase, err)
	}
	return nil
}

// query runs f on a connection of its own.
func query(ctx context.Context, url string, f func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	return f(ctx, conn)
}

// join uses the cluster of the process that holds the data directory; nil when it is not ready, or about to stop.
func (h *home) join(ctx context.Context) (*Server, error) {
	state, err := h.inspect()
	if err != nil {
		return nil, err
	}
	if state.major == 0 {
		return nil, nil
	}
	pf, err := h.readPIDFile()
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the cluster %s cannot be read: run as the user that runs the service: %w", h.cluster, err)
	}
	if err != nil || pf.status != "ready" {
		return nil, nil //nolint:nilerr // a pid file that is being written or removed says the same as one that is not ready
	}
	password, err := h.readPassword()
	if err != nil {
		return nil, err
	}
	lock, err := takeLock(h.usersPath(), shared)
	if errors.Is(err, errLocked) {
		return nil, nil
	}
	if err != nil {
		return nil, h.lockError(err)
	}
	pm := findPostmaster(ctx, pf.pid, h.cluster)
	if pm == nil {
		lock.release()
		return nil, nil
	}
	if err := query(ctx, address(appRole, password, pf.port, appDatabase), ping); err != nil {
		pm.release()
		lock.release()
		return nil, ctx.Err() // not ready yet, or just stopping
	}
	s := h.server(pm, password, pf.port)
	s.locks = append(s.locks, lock)
	s.watch(h.logPath())
	return s, nil
}

func ping(ctx context.Context, conn *pgx.Conn) error { return conn.Ping(ctx) }
