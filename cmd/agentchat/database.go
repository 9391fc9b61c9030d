package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// stopTimeout is the time for an orderly stop of the embedded database. Killing it afterwards loses
// nothing.
const stopTimeout = 30 * time.Second

// database is an open store with its embedded PostgreSQL, if any.
type database struct {
	*store.DB
	postgres *embeddedpg.Server
	logger   *slog.Logger
}

// openForService opens the database of a service, which also runs the embedded PostgreSQL.
func openForService(
	ctx context.Context, s *databaseSettings, logger *slog.Logger,
) (*database, error) {
	return s.open(ctx, logger, embeddedpg.Start)
}

// followPrograms makes the embedded database restart when its programs are replaced.
func (d *database) followPrograms() {
	if d.postgres != nil {
		d.OnMissingProgram(d.postgres.LookAtPrograms)
		d.postgres.FollowPrograms(d.Pause)
	}
}

// openForCommand opens the database of a command, whether or not a service is running. It migrates
// an embedded database, and refuses any other whose schema does not fit this binary.
func openForCommand(
	ctx context.Context, s *databaseSettings, logger *slog.Logger,
) (*database, error) {
	db, err := openForMigration(ctx, s, logger)
	if err != nil {
		return nil, err
	}
	prepare := db.SchemaCurrent
	if s.embedded() {
		prepare = db.Migrate
	}
	if err := prepare(ctx); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

func (s *databaseSettings) open(ctx context.Context, logger *slog.Logger,
	start func(context.Context, embeddedpg.Config) (*embeddedpg.Server, error),
) (*database, error) {
	db := &database{logger: logger}
	address, dataDir := string(s.DatabaseURL), ""
	if s.embedded() {
		var err error
		db.postgres, err = start(ctx,
			embeddedpg.Config{DataDir: s.DataDir, BinDir: s.PostgresBin, Logger: logger})
		if err != nil {
			return nil, err
		}
		address, dataDir = db.postgres.URL(), s.DataDir
	}
	var err error
	if db.DB, err = store.Open(ctx, store.Config{
		URL:               address,
		MaxConns:          s.MaxConns,
		TransactionPooler: s.DatabasePooler == transactionPooler,
		MigrateURL:        string(s.MigrateURL),
		DataDir:           dataDir,
		KnowledgePassages: s.knowledgePassages,
		VersionBytes:      s.versionBytes,
		Mail:              s.mails,
		Webhooks:          s.webhooks,
		OwnerWebhooks:     s.ownerWebhooks,
		Logger:            logger,
	}); err != nil {
		db.close()
		return nil, err
	}
	turns.On(db.DB) // so that Ready rehearses a turn
	return db, nil
}

// close closes the connections and then stops the embedded database if this process started it. It
// has its own timeout because the context of the run has ended by then.
func (d *database) close() {
	if d.DB != nil {
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
		d.logger.Warn("the embedded database did not stop cleanly; its next start recovers it",
			slog.Any("error", err))
	}
}

// died returns a channel that is closed when the embedded database ends unexpectedly; nil without
// one.
func (d *database) died() <-chan struct{} {
	if d.postgres == nil {
		return nil
	}
	return d.postgres.Done()
}

// openForMigration opens the database of a command without checking the schema.
func openForMigration(
	ctx context.Context, s *databaseSettings, logger *slog.Logger,
) (*database, error) {
	return s.open(ctx, logger, embeddedpg.Attach)
}

var errInterrupted = errors.New("interrupted")

// opener is openForCommand or openForMigration.
type opener func(context.Context, *databaseSettings, *slog.Logger) (*database, error)

// withDatabase opens a command's database, runs work on it and closes it.
func withDatabase(
	ctx context.Context, s *databaseSettings, out *output, open opener, work func(*database) error,
) error {
	if err := s.complete(); err != nil {
		return err
	}
	out.secrets = s.secrets()
	if s.LogLevel == "info" {
		s.LogLevel = "warn" // a command reports its own outcome; the rest of the log is for a service
	}
	db, err := open(ctx, s, s.logger(out.stderr))
	if err != nil {
		return orInterrupted(ctx, err)
	}
	defer db.close()
	return orInterrupted(ctx, work(db))
}

// orInterrupted replaces the error of an ended context with errInterrupted.
func orInterrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil &&
		(errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return fmt.Errorf("%w before it was done", errInterrupted)
	}
	return err
}
