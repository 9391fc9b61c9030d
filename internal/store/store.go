// Package store holds all SQL. It is the only package that imports bun.
//
// Two ways lead to the database, on the same pool. The builder serves statements whose values are ids, times, numbers and our
// own constants. Everything else is hand-written SQL with bound parameters ($1, $2, …), because the builder writes its values
// into the statement's text: text that people or programs typed, secrets and their hashes, and whatever moves credits. So are
// statements on the path of a chat, which have to be prepared, and those that say more than the builder can. Either way bun
// scans the rows into the nouns' structs, column by name; what no noun has, such as a password hash, has a struct here.
//
// Methods on owned rows take the owner's account id and have it in their WHERE; another account's row is not found.
//
// Faults of every method: Unavailable when the database is away or overloaded; Internal for anything unforeseen.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// Limits of the pool and of every statement. Chats hold no connection while they wait for a model, so few are enough: one or two
// per core measured best.
const (
	minConns         = 4
	connectTimeout   = 3 * time.Second
	statementTimeout = 3500 * time.Millisecond
	lockTimeout      = 3 * time.Second
	maxConnLifetime  = 30 * time.Minute
	// oldestServer is PostgreSQL 14 in the form of server_version_num.
	oldestServer = 140000
)

// Config says where the database is.
type Config struct {
	// URL is a postgres:// URL; it is a secret.
	URL string
	// MaxConns bounds the pool; 0 means two per core, at least 4.
	MaxConns int
	// ApplicationName is what pg_stat_activity shows; "agentchat" when empty.
	ApplicationName string
	// Tracer, if not nil, sees every statement, so that tests can count them. It must never log their text.
	Tracer pgx.QueryTracer
}

// Store is the database behind both APIs. It is safe for concurrent use, but for one that inTx hands out.
type Store struct {
	pool *sql.DB
	root *bun.DB
	// db is what the builder runs on, and bound what hand-written statements run on: the pool, or both the same transaction.
	db    bun.IDB
	bound bun.IConn
	cfg   Config

	notifyDeleted []func(turns []uuid.UUID)
}

// Open connects, and checks that the server is PostgreSQL 14 or newer. Its errors are one line for the operator and never
// hold the password.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if cfg.MaxConns == 0 {
		cfg.MaxConns = max(minConns, 2*runtime.NumCPU())
	}
	if cfg.ApplicationName == "" {
		cfg.ApplicationName = "agentchat"
	}
	conf, err := connConfig(cfg)
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*conf, poolOptions()...)
	pool.SetMaxOpenConns(cfg.MaxConns)
	pool.SetMaxIdleConns(cfg.MaxConns)
	pool.SetConnMaxLifetime(maxConnLifetime)
	if err := checkServer(ctx, pool, conf); err != nil {
		_ = pool.Close()
		return nil, err
	}
	root := bun.NewDB(pool, pgdialect.New(), bun.WithConnResolver(unprepared{pool}))
	return &Store{pool: pool, root: root, db: root, bound: pool, cfg: cfg}, nil
}

// connConfig parses the URL and adds the limits of every connection.
func connConfig(cfg Config) (*pgx.ConnConfig, error) {
	if u, err := url.Parse(cfg.URL); err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return nil, errors.New("the database URL is not valid: write it like postgres://user:password@host:5432/name")
	}
	conf, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		// pgx's own text may quote the URL; its cause says enough.
		return nil, fmt.Errorf("the database URL is not valid: %w", errors.Unwrap(err))
	}
	if conf.ConnectTimeout == 0 {
		conf.ConnectTimeout = connectTimeout
	}
	conf.Tracer = withDeadline{next: cfg.Tracer}
	params := conf.RuntimeParams
	params["application_name"] = cfg.ApplicationName
	params["timezone"] = "UTC"
	params["statement_timeout"] = milliseconds(statementTimeout)
	params["lock_timeout"] = milliseconds(lockTimeout)
	params["idle_in_transaction_session_timeout"] = milliseconds(2 * statementTimeout)
	// The plans of a chat's statements do not depend on their arguments; planning them each time cost 20 % of a chat.
	params["plan_cache_mode"] = "force_generic_plan"
	// A page is read in the order of its index. With the default of 4, meant for spinning disks, the planner would at some table
	// sizes collect and sort everything that a filter matches instead, however long that list is for one account.
	params["random_page_cost"] = "1"
	return conf, nil
}

func checkServer(ctx context.Context, pool *sql.DB, conf *pgx.ConnConfig) error {
	ctx, cancel := context.WithTimeout(ctx, 2*connectTimeout)
	defer cancel()
	where := fmt.Sprintf("%s:%d/%s", conf.Host, conf.Port, conf.Database)
	var version string
	if err := pool.QueryRowContext(ctx, "SHOW server_version_num").Scan(&version); err != nil {
		return fmt.Errorf("cannot use the database at %s: %w", where, plainCause(err))
	}
	if n, err := strconv.Atoi(version); err != nil || n < oldestServer {
		return fmt.Errorf("the database at %s is PostgreSQL %s: version 14 or newer is needed", where, version)
	}
	var encoding string
	if err := pool.QueryRowContext(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return fmt.Errorf("cannot use the database at %s: %w", where, plainCause(err))
	}
	if encoding != "UTF8" { // other encodings cannot store every message, and count other bytes
		return fmt.Errorf("the database at %s stores text as %s: create it with ENCODING 'UTF8'", where, encoding)
	}
	return nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Close ends all connections.
func (s *Store) Close() error { return s.pool.Close() }

// DB is the pool, for its statistics.
func (s *Store) DB() *sql.DB { return s.pool }

// inTx runs work with a store whose statements are one transaction, committed unless work returns an error.
func (s *Store) inTx(ctx context.Context, work func(tx *Store) error) error {
	return translate(s.db.RunInTx(ctx, nil, func(_ context.Context, tx bun.Tx) error {
		return work(&Store{pool: s.pool, root: s.root, db: tx, bound: tx.Tx, cfg: s.cfg})
	}))
}
