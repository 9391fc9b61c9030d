package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"agentchat/migrations"
)

// Migrate applies the missing migrations and installs the functions. Several processes may do so at
// once: a session lock lets one of them work at a time, and an interrupted migration is run again.
// Chats continue. A schema newer than this binary is left alone. Errors are one line for the
// operator.
func (s *DB) Migrate(ctx context.Context) error {
	current, err := s.isCurrent(ctx)
	if err != nil || current {
		return err
	}
	if err := s.applyMissing(ctx, migrations.Files); err != nil {
		return err
	}
	if current, err = s.isCurrent(ctx); err == nil && !current {
		err = errors.New("what was migrated is not what serves: DATABASE_URL and MIGRATE_DATABASE_URL must lead to one database and schema")
	}
	return err
}

func (s *DB) applyMissing(ctx context.Context, files fs.FS) error {
	pool, conf, err := s.migrationPool()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	if err = checkRights(ctx, pool, true); err == nil { // before the library does, which would try again for seconds
		err = locked(ctx, pool, func() error {
			provider, err := goose.NewProvider(goose.DialectPostgres, pool, files)
			if err != nil {
				return err
			}
			if err := applyAll(ctx, provider); err != nil {
				return err
			}
			return installFunctions(ctx, pool)
		})
	}
	if err != nil {
		err = s.cannotMigrate(err, conf)
	}
	return err
}

// cannotMigrate names the database, and the remedy for tables that the migrations do not expect.
func (s *DB) cannotMigrate(err error, conf *pgx.ConnConfig) error {
	where, another := "at "+place(conf), "an empty database with DATABASE_URL"
	if s.cfg.DataDir != "" {
		where, another = "in "+s.cfg.DataDir, "an empty directory with AGENTCHAT_DATA_DIR"
	}
	advice := ""
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && strings.HasPrefix(refused.Code, "42") && refused.Code != codeNoRight {
		advice = ". Its tables are not what this version expects: run the version that made them, or choose " + another
	}
	return fmt.Errorf("cannot migrate the database %s: %w%s", where, advise(err, conf), advice)
}

// locked works under the lock of migrations, which ends with its connection.
func locked(ctx context.Context, pool *sql.DB, work func() error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	// The lock is requested once a second for five minutes, the longest that another replica's
	// migration may take.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return err
	}
	if err := locker.SessionLock(ctx, conn); err != nil {
		return err
	}
	defer func() { _ = locker.SessionUnlock(context.WithoutCancel(ctx), conn) }()
	return work()
}

// A migration that waits for a table's lock, behind a backup for instance, makes every chat wait
// behind it. So it soon gives up, lets the chats proceed, and retries.
const (
	migrationLockTimeout = 500 * time.Millisecond
	migrationLockPause   = 250 * time.Millisecond
	migrationLockTries   = 400 // some five minutes
)

func applyAll(ctx context.Context, provider *goose.Provider) error {
	for try := 1; ; try++ {
		_, err := provider.Up(ctx)
		if err == nil || !ViolatedCode(err, CodeLockTimeout) || try == migrationLockTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(migrationLockPause):
		}
	}
}

// ErrSchemaOld is a schema that a migration brings up to date.
var ErrSchemaOld = errors.New("the database's schema is older than this binary: run `agentchat migrate`")

// SchemaCurrent returns an error, one line for the operator, if the schema cannot be used:
// ErrSchemaOld if it is older than this binary needs. A newer one is fine: replicas are upgraded
// one by one, and every migration leaves the release before it able to serve.
func (s *DB) SchemaCurrent(ctx context.Context) error {
	current, err := s.isCurrent(ctx)
	if err == nil && !current {
		err = ErrSchemaOld
	}
	return err
}

// isCurrent checks the rights, the version and the functions without taking the lock, so that an
// ordinary start does not wait.
func (s *DB) isCurrent(ctx context.Context) (bool, error) {
	if err := checkRights(ctx, s.bound, false); err != nil {
		return false, fmt.Errorf("cannot use the database: %w", plainCause(err))
	}
	exists, err := One[bool](ctx, s, "SELECT to_regclass('goose_db_version') IS NOT NULL")
	if err == nil && !exists {
		return false, nil
	}
	var version int64
	if err == nil {
		version, err = One[int64](ctx, s, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied")
	}
	if err != nil {
		return false, fmt.Errorf("cannot read the schema's version: %w", plainCause(err))
	}
	if version < neededVersion() {
		return false, nil
	}
	names, sums := functionSums()
	others, err := One[int](ctx, s, otherFunctions, names, sums)
	if err != nil {
		return false, fmt.Errorf("cannot read the database's functions: %w", plainCause(err))
	}
	return others == 0, nil
}

// neededVersion is the version of the newest migration in this binary.
var neededVersion = sync.OnceValue(func() int64 {
	names, _ := fs.Glob(migrations.Files, "*.sql") // the pattern is well formed
	version, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		panic(err) // the names are embedded, and goose reads them at every start
	}
	return version
})

// migrationPool opens a separate pool without the service's statement timeout. A session lock needs
// a connection that no pooler shares.
func (s *DB) migrationPool() (*sql.DB, *pgx.ConnConfig, error) {
	cfg := s.cfg
	switch {
	case cfg.MigrateURL != "":
		cfg.URL, cfg.TransactionPooler = cfg.MigrateURL, false
	case cfg.TransactionPooler:
		return nil, nil, errors.New("the database must be migrated, which needs a connection past the pooler: set MIGRATE_DATABASE_URL")
	}
	conf, err := connConfig(cfg)
	if err != nil {
		return nil, nil, err
	}
	conf.Tracer = s.cfg.Tracer
	conf.RuntimeParams["statement_timeout"] = "0"
	conf.RuntimeParams["lock_timeout"] = milliseconds(migrationLockTimeout)
	conf.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	return stdlib.OpenDB(*conf), conf, nil
}
