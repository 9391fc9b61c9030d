package storetest

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"agentchat/internal/store"
)

// place is a database with a store. Tests use it one after another, each alone, and find it empty
// except for what the template has. A new database, its connections and their plans take three
// quarters of the time of a short test.
type place struct {
	name       string
	store      *store.DB
	statements *Statements
	// admin is a superuser's connection. schema is the fingerprint of the template's schema.
	admin  *sql.DB
	schema string
}

// idle holds the places that no test uses.
var idle struct {
	sync.Mutex
	places []*place
}

// Statements counts the statements of a store.
type Statements struct{ n atomic.Int64 }

// Load returns the count.
func (c *Statements) Load() int64 { return c.n.Load() }

// TraceQueryStart counts a statement.
func (c *Statements) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	c.n.Add(1)
	return ctx
}

// TraceQueryEnd does nothing.
func (c *Statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take returns a place for one test.
func take(t testing.TB) *place {
	t.Helper()
	started(t)
	p := leftByOthers()
	if p == nil {
		var err error
		if p, err = newPlace(); err != nil {
			t.Fatalf("create a test database: %v", err)
		}
	}
	t.Cleanup(func() {
		if !t.Failed() && p.empty() == nil {
			idle.Lock()
			defer idle.Unlock()
			idle.places = append(idle.places, p)
			return
		}
		if err := p.drop(); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return p
}

func leftByOthers() *place {
	idle.Lock()
	defer idle.Unlock()
	last := len(idle.places) - 1
	if last < 0 {
		return nil
	}
	p := idle.places[last]
	idle.places = idle.places[:last]
	return p
}

func newPlace() (*place, error) {
	name, err := newDatabase(cluster.template)
	if err != nil {
		return nil, err
	}
	p := &place{name: name, statements: &Statements{}}
	if p.store, err = open(context.Background(), databaseURL(name), p.statements); err != nil {
		return nil, err
	}
	address, err := asSuperuser(databaseURL(name))
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // several statements at once
	p.admin = stdlib.OpenDB(*config)
	p.admin.SetMaxOpenConns(1)
	return p, p.admin.QueryRow(schemaQuery).Scan(&p.schema)
}

// empty deletes what a test has written. It fails if the place cannot be used again: the schema has
// changed, the store is closed, all connections are taken, another connection is active, or the
// data exceeds 50 MB.
func (p *place) empty() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.store.SQL().PingContext(ctx); err != nil {
		return err
	}
	p.store.OnMail(nil)
	p.store.OnFile(nil)
	if _, err := p.admin.ExecContext(ctx, othersAreIdle); err != nil {
		return err
	}
	var schema string
	if err := p.admin.QueryRowContext(ctx, schemaQuery).Scan(&schema); err != nil ||
		schema != p.schema {
		return errors.Join(err, errors.New("the schema has changed"))
	}
	_, err := p.admin.ExecContext(ctx, cluster.empty)
	return err
}

func (p *place) drop() error {
	_, _ = p.store.Close(), p.admin.Close()
	return drop(p.name)
}

// schemaQuery returns a fingerprint of a schema: the number of rows in each catalogue and the
// newest transaction that wrote one. The sums of functions are comments.
const schemaQuery = `SELECT string_agg(summed, ' ') || (SELECT count(*) FROM pg_db_role_setting
	JOIN pg_database d ON d.oid = setdatabase
	WHERE datname = current_database()) FROM (
	SELECT format('%s %s', count(*), max(xmin::text::bigint)) AS summed FROM pg_class
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_attribute
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_proc
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_trigger
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_constraint
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_namespace
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint)) FROM pg_description
	UNION ALL SELECT format('%s %s', count(*), max(xmin::text::bigint))
		FROM goose_db_version) catalogues`

// othersAreIdle waits until no other connection is active, and fails if the database has grown
// large.
const othersAreIdle = `DO $$ BEGIN
	FOR i IN 1..200 LOOP
		IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND pid <> pg_backend_pid()
			AND backend_type = 'client backend' AND state IS DISTINCT FROM 'idle') THEN
			ASSERT pg_database_size(current_database()) < 50 << 20, 'the database is too large';
			RETURN;
		END IF;
		PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	END LOOP;
	RAISE 'another connection is active';
END $$`

// emptying returns statements that empty all tables that are empty now, bypassing triggers, and
// restart the sequences.
func emptying(ctx context.Context, db *sql.DB) (string, error) {
	var tables, sequences string
	err := db.QueryRowContext(ctx, `SELECT
		string_agg(oid::regclass::text, ' ') FILTER (WHERE relkind = 'r'),
		string_agg(oid::regclass::text, ' ') FILTER (WHERE relkind = 'S') FROM pg_class
		WHERE relnamespace = 'public'::regnamespace`).Scan(&tables, &sequences)
	var text strings.Builder
	text.WriteString(`SET session_replication_role = replica;`)
	for table := range strings.FieldsSeq(tables) {
		var used bool
		err = cmp.Or(err, db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM `+table+`)`).Scan(&used))
		if !used {
			fmt.Fprintf(&text, ` DELETE FROM %s;`, table)
		}
	}
	for sequence := range strings.FieldsSeq(sequences) {
		fmt.Fprintf(&text, ` SELECT setval('%s', 1, false);`, sequence)
	}
	return text.String(), err
}
