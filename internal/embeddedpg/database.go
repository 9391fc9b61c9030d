package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	superuser   = "postgres"  // the role that owns the cluster, and its first database
	appRole     = "agentchat" // the service's role
	appDatabase = "agentchat"
)

const connectWait = 10 * time.Second

// ensureDatabase creates the service's role, with its password, and its database if they are
// missing. It returns the directory of the server's libraries.
func ensureDatabase(ctx context.Context, url, password string) (libraries string, err error) {
	err = query(ctx, url, func(ctx context.Context, conn *pgx.Conn) error {
		var role, database bool
		err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1), "+
			"EXISTS (SELECT FROM pg_database WHERE datname = $2), (SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR')",
			appRole, appDatabase).Scan(&role, &database, &libraries)
		if err != nil {
			return err
		}
		if !role {
			// The password is letters and digits (rand.Text), and a CREATE ROLE takes no parameters.
			if _, err := conn.Exec(ctx,
				"CREATE ROLE "+appRole+" LOGIN CREATEDB PASSWORD '"+password+"'"); err != nil {
				return err
			}
		}
		if !database {
			_, err = conn.Exec(ctx, "CREATE DATABASE "+appDatabase+" OWNER "+appRole)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("cannot create the database %s: %w", appDatabase, err)
	}
	return libraries, nil
}

// query runs f on a new connection.
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

// join connects to the server of the process that holds the data directory. It returns nil if the
// server is not ready or is about to stop.
func (c *cluster) join(ctx context.Context) (*Server, error) {
	state, err := c.inspect()
	if err != nil {
		return nil, err
	}
	if state.major == 0 {
		return nil, nil
	}
	pf, err := c.readPIDFile()
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the cluster %s cannot be read: run as the user that runs the service: %w",
			c.pgdata, err)
	}
	if err != nil || pf.status != "ready" {
		return nil, nil //nolint:nilerr // a pid file that is just being written or removed counts as not ready
	}
	passwords, err := c.readPasswords()
	if err != nil {
		return nil, err
	}
	lock, err := takeLock(c.usersPath(), shared)
	if errors.Is(err, errLocked) {
		return nil, nil
	}
	if err != nil {
		return nil, c.lockError(err)
	}
	if err := query(ctx, address(appRole, passwords.app, pf.port, appDatabase), ping); err != nil {
		lock.release()
		return nil, ctx.Err() // not ready yet, or about to stop
	}
	s := &Server{
		cluster:   c,
		passwords: passwords,
		pid:       pf.pid,
		locks:     []*fileLock{lock},
		done:      make(chan struct{}),
	}
	s.at(pf.port)
	return s, nil
}

func ping(ctx context.Context, conn *pgx.Conn) error { return conn.Ping(ctx) }
