package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
)

// stopTimeout bounds the orderly end of the embedded database; it is ended abruptly after that, which loses nothing.
const stopTimeout = 30 * time.Second

// database is an open store, and the embedded PostgreSQL below it where there is one.
type database struct {
	*store.Store
	postgres *embeddedpg.Server
	logger   *slog.Logger
}

// openForService opens the database of a service, which owns the embedded one.
func openForService(ctx context.Context, c databaseConfig, logger *slog.Logger) (*database, error) {
	return c.open(ctx, logger, embeddedpg.Start)
}

// openForCommand opens the database of a command: beside a running service as well as without one. Its schema is the one
// that this binary was built for: the embedded database is brought up to date, another one is its operator's to migrate.
func openForCommand(ctx context.Context, c databaseConfig, logger *slog.Logger) (*database, error) {
	db, err := openForMigration(ctx, c, logger)
	if err != nil {
		return nil, err
	}
	prepare := db.SchemaCurrent
	if c.embedded() {
		prepare = db.Migrate
	}
	if err := prepare(ctx); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

func (c databaseConfig) open(ctx context.Context, logger *slog.Logger,
	start func(context.Context, embeddedpg.Config) (*embeddedpg.Server, error),
) (*database, error) {
	db := &database{logger: logger}
	address := c.url
	if c.embedded() {
		var err error
		db.postgres, err = start(ctx, embeddedpg.Config{DataDir: c.dataDir, BinDir: c.binDir, Logger: logger})
		if err != nil {
			return nil, err
		}
		address = db.postgres.URL()
	}
	var err error
	if db.Store, err = store.Open(ctx, store.Config{URL: address, MaxConns: c.maxConns}); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// close closes the connections and then stops the embedded database, if this process started it. It is not bound to the
// context of the run, which has ended when this is called.
func (d *database) close() {
	if d.Store != nil {
		if err := d.Close(); err != nil {
			d.logger.Warn("the database's connections did not close cleanly", slog.Any("error", err))
		}
	}
	if d.postgres == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := d.postgres.Stop(ctx); err != nil {
		d.logger.Warn("the embedded database did not stop cleanly; its next start recovers it", slog.Any("error", err))
	}
}

// died is closed when the embedded database ends by itself; nil without one.
func (d *database) died() <-chan struct{} {
	if d.postgres == nil {
		return nil
	}
	return d.postgres.Done()
}

// secrets are the parts of the URL that no error line may hold. A password that is also the user's name is none.
func (c databaseConfig) secrets() []string {
	u, err := url.Parse(c.url)
	if err != nil || u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	if password == u.User.Username() {
		return []string{c.url}
	}
	return []string{c.url, password, url.QueryEscape(password), url.PathEscape(password)}
}

// openForMigration opens the database of a command whatever its schema.
func openForMigration(ctx context.Context, c databaseConfig, logger *slog.Logger) (*database, error) {
	return c.open(ctx, logger, embeddedpg.Attach)
}

// opener is one of the ways to open a database.
type opener func(context.Context, databaseConfig, *slog.Logger) (*database, error)

// withDatabase runs a command's work on its database, opened by open, and closes it whatever happens.
func withDatabase(ctx context.Context, s databaseSettings, out *output, open opener, work func(*database) error) error {
	var r reader
	config, log := s.config(&r)
	if r.err != nil {
		return r.err
	}
	out.secrets = config.secrets()
	db, err := open(ctx, config, log.forCommand().logger(out.stderr))
	if err != nil {
		return orInterrupted(ctx, err)
	}
	defer db.close()
	return orInterrupted(ctx, work(db))
}

// orInterrupted says "interrupted" of an error that only tells that the context has ended.
func orInterrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return fmt.Errorf("%w before it was done", errInterrupted)
	}
	return err
}
