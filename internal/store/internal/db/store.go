package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"golang.org/x/sync/semaphore"

	"agentchat/internal/fair"
)

// Limits of every statement and connection.
const (
	connectTimeout   = 3 * time.Second
	statementTimeout = 3500 * time.Millisecond
	// panelTimeout is shorter: a page is read by index, and a search that takes longer would take the
	// time from others.
	panelTimeout    = 2 * time.Second
	lockTimeout     = 3 * time.Second
	maxConnLifetime = 30 * time.Minute
	// oldestServer is PostgreSQL 14 in the form of server_version_num.
	oldestServer = 140000
)

// Config says where the database is.
type Config struct {
	// URL is a postgres:// URL; it is a secret.
	URL string
	// MaxConns bounds the connections, which the parts of the service share; 0 is as many as the cores
	// need.
	MaxConns int
	// TransactionPooler says that URL leads to a pooler in transaction mode: statements are not
	// prepared, and the role must have the settings that connections otherwise request.
	TransactionPooler bool
	// MigrateURL is the address for migrations, as the owner or past a pooler; URL when empty. It is a
	// secret.
	MigrateURL string
	// DataDir is the data directory of a private PostgreSQL, for errors; empty for a database that the
	// operator runs.
	DataDir string
	// KnowledgePassages is the most passages that the agents of an account may have together; 0 for
	// 100,000.
	KnowledgePassages int
	// VersionBytes is the most that the versions of an account may take, as stored; 0 for 200 MiB.
	VersionBytes int
	// Mail, Webhooks and OwnerWebhooks enable notifications of events to owners by mail, to the
	// operator by webhook, and to webhooks of owners. Messages of a disabled kind are not queued.
	Mail, Webhooks, OwnerWebhooks bool
	// ApplicationName is the name in pg_stat_activity; "agentchat" when empty.
	ApplicationName string
	// Tracer, if not nil, sees every statement, so that tests can count them. It must never log their
	// text.
	Tracer pgx.QueryTracer
	// Logger gets a line for each entry of the audit trail; nil discards them.
	Logger *slog.Logger

	// Tests shorten these; 0 for the constants of these names.
	answerWithin, panelTimeout, panelWait time.Duration
}

// DB is the database behind both APIs, through the connections of one part of the service: of chats
// unless it comes from Panel or Own. It is safe for concurrent use, but for one that inTx hands
// out.
type DB struct {
	*parts
	pool *pool
	root *bun.DB
	// db begins transactions and bound runs statements: both on the pool, or both in the same
	// transaction.
	db    bun.IDB
	bound binding
	// onCommit runs after the commit; nil outside a transaction.
	onCommit *[]func()
}

// binding runs statements.
type binding interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
}

// parts are the stores of all parts of the service, and what they have in common.
type parts struct {
	chats, panel, own, probe *DB
	cfg                      Config
	notifyDeleted            []func(turns []uuid.UUID)
	notifyWaited             func(class string, wait time.Duration)
	notifyMissing            func()
	notifyFile, notifyRun    func()
	notifyMail               func()
	// gate keeps statements from being sent while the store is paused.
	gate *semaphore.Weighted
	// waiting counts statements that wait in queues of other packages, and rehearse is what Ready
	// tries last; nil for nothing.
	waiting  []func() int
	rehearse func(context.Context) error
	// shared are the values of shared by type, and sharing guards them.
	sharing sync.Mutex
	shared  map[reflect.Type]any
	// searching lets accounts take turns at a statement of a search in texts.
	searching *fair.Queue
}

// Panel is the same database through the panel's own connections, whose statements end sooner.
func (s *DB) Panel() *DB { return s.panel }

// Own is the same database through the connections of sign-ins and background work.
func (s *DB) Own() *DB { return s.own }

// Probe is the same database through the connection of readiness, which no tenant can occupy; nil
// if the connections are not divided.
func Probe(s *DB) *DB {
	if s.probe == s.chats {
		return nil
	}
	return s.probe
}

// Connections returns the most connections that all parts may have together.
func (s *DB) Connections() int {
	if s.panel == s.chats { // they are not divided
		return s.chats.pool.size
	}
	return s.chats.pool.size + s.panel.pool.size + s.own.pool.size + s.probe.pool.size
}

// Pools are the connections of each part of the service, for their statistics.
func (s *DB) Pools() map[string]*sql.DB {
	return map[string]*sql.DB{"chats": s.chats.pool.DB, "panel": s.panel.pool.DB, "own": s.own.pool.DB, "probe": s.probe.pool.DB}
}

// Open connects, and checks that the server is PostgreSQL 14 or newer. Its errors are one line for
// the operator and never hold the password.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.ApplicationName == "" {
		cfg.ApplicationName = "agentchat"
	}
	conf, err := connConfig(cfg)
	if err != nil {
		return nil, err
	}
	sizes := poolSizesOf(cfg.MaxConns)
	chats := newPool(*conf, sizes.chats)
	if err := checkServer(ctx, chats.DB, conf, cfg.TransactionPooler); err != nil {
		_ = chats.Close()
		return nil, err
	}
	return divide(cfg, conf, sizes, chats), nil
}

// divide returns the store of chats, with those of the other parts behind it.
func divide(cfg Config, conf *pgx.ConnConfig, sizes poolSizes, chats *pool) *DB {
	all := &parts{cfg: cfg, gate: semaphore.NewWeighted(everyStatement), searching: fair.NewQueue(1, 1, 0, nil)}
	// One account never has all connections: another's statement, when it comes, finds one that will
	// soon be free.
	chats.queue = fair.NewQueue(sizes.chats, sizes.chats-1, 0, all.waited("chats"))
	all.chats = all.on(chats)
	all.panel, all.own, all.probe = all.chats, all.chats, all.chats
	if sizes.divided() {
		reads := *conf
		if !cfg.TransactionPooler {
			reads.RuntimeParams = maps.Clone(conf.RuntimeParams)
			reads.RuntimeParams["statement_timeout"] = milliseconds(cmp.Or(cfg.panelTimeout, panelTimeout))
		}
		panel := newPool(reads, sizes.panel)
		panel.queue = fair.NewQueue(sizes.panel, sizes.panel-1, panelPauseAbove, all.waited("panel"))
		panel.wait = cmp.Or(cfg.panelWait, panelWait)
		all.panel = all.on(panel)
		all.own = all.on(newPool(*conf, sizes.own))
		all.probe = all.on(newPool(*conf, sizes.probe))
	}
	pools := []*pool{chats, all.panel.pool, all.own.pool, all.probe.pool}
	for _, p := range pools {
		p.all = pools
	}
	return all.chats
}

// on returns a store on a pool.
func (all *parts) on(p *pool) *DB {
	p.parts = all
	root := bun.NewDB(p.DB, pgdialect.New())
	return &DB{parts: all, pool: p, root: root, db: root, bound: p}
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
	conf.Tracer = withDeadline{next: cfg.Tracer, within: cmp.Or(cfg.answerWithin, answerWithin)}
	params := conf.RuntimeParams
	params["application_name"] = cfg.ApplicationName
	setSettings(params, answerSettings)
	if cfg.TransactionPooler {
		conf.DefaultQueryExecMode = pgx.QueryExecModeExec // a prepared statement would stay with a connection that others get next
	} else {
		setSettings(params, sessionSettings)
	}
	return conf, nil
}

func checkServer(ctx context.Context, pool *sql.DB, conf *pgx.ConnConfig, pooled bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*conf.ConnectTimeout)
	defer cancel()
	where := place(conf)
	var version string
	if err := pool.QueryRowContext(ctx, "SHOW server_version_num", pgx.QueryExecModeExec).Scan(&version); err != nil {
		return fmt.Errorf("cannot use the database at %s: %w", where, poolerRefusal(advise(err, conf)))
	}
	if n, err := strconv.Atoi(version); err != nil || n < oldestServer {
		return fmt.Errorf("the database at %s is PostgreSQL %s: version 14 or newer is needed", where, version)
	}
	var encoding string
	if err := pool.QueryRowContext(ctx, "SHOW server_encoding", pgx.QueryExecModeExec).Scan(&encoding); err != nil {
		return fmt.Errorf("cannot use the database at %s: %w", where, plainCause(err))
	}
	if encoding != "UTF8" { // other encodings cannot store every message, and count other bytes
		return fmt.Errorf("the database at %s stores text as %s: create it with ENCODING 'UTF8'", where, encoding)
	}
	if err := checkSettings(ctx, pool, conf, pooled); err != nil {
		return fmt.Errorf("cannot use the database at %s: %w", where, plainCause(err))
	}
	return nil
}

// place names a database with all its hosts, without user and password.
func place(conf *pgx.ConnConfig) string {
	hosts := []string{fmt.Sprintf("%s:%d", conf.Host, conf.Port)}
	for _, other := range conf.Fallbacks {
		hosts = append(hosts, fmt.Sprintf("%s:%d", other.Host, other.Port))
	}
	return strings.Join(slices.Compact(hosts), ",") + "/" + conf.Database // with and without TLS, a host comes twice
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// ConfigOf returns the configuration that the database was opened with.
func ConfigOf(s *DB) Config { return s.cfg }

// Close ends all connections, of every part.
func (s *DB) Close() error {
	var errs []error
	for _, pool := range s.Pools() {
		errs = append(errs, pool.Close())
	}
	return errors.Join(errs...)
}

// SQL returns the pool, for tests.
func (s *DB) SQL() *sql.DB { return s.pool.DB }

// InTx runs work with a store whose statements are one transaction, committed unless work returns
// an error.
func InTx(ctx context.Context, s *DB, work func(tx *DB) error) error {
	leave, err := s.pool.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	var onCommit []func()
	err = Translate(s.pool.fit(ctx, func() error {
		onCommit = nil
		return s.db.RunInTx(ctx, nil, func(_ context.Context, tx bun.Tx) error {
			if s == s.panel { // changes may take as long as everywhere else
				if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = `+milliseconds(statementTimeout)); err != nil {
					return err
				}
			}
			inside := &pool{DB: s.pool.DB} // it has its connection already
			return work(&DB{parts: s.parts, pool: inside, root: s.root, db: tx, bound: tx.Tx, onCommit: &onCommit})
		})
	}))
	if err != nil {
		return err
	}
	for _, work := range onCommit {
		work()
	}
	return nil
}

// OnCommit runs work after the commit of the transaction that tx is bound to.
func OnCommit(tx *DB, work func()) { *tx.onCommit = append(*tx.onCommit, work) }
