package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"agentchat/internal/store"
)

// place is a database with a store that tests use one after another, each alone and finding it empty. A new database with its connections
// and their plans takes three quarters of the time of a short test.
type place struct {
	name       string
	store      *store.Store
	statements *Statements
	// admin is a superuser's connection, and schema sums up the schema as the template had it.
	admin  *sql.DB
	schema string
}

// idle are the places that no test uses.
var idle struct {
	sync.Mutex
	places []*place
}

// Statements counts the statements of a store.
type Statements struct{ n atomic.Int64 }

// Load returns how many there were.
func (c *Statements) Load() int64 { return c.n.Load() }

// TraceQueryStart counts one.
func (c *Statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
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
		if p.empty() == nil {
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

// empty deletes what a test has written. It fails where the place cannot be used again: for another schema, a closed store, somebody who
// still does something, or so much that a new database is faster.
func (p *place) empty() error {
	if err := p.store.DB().Ping(); err != nil {
		return err
	}
	if _, err := p.admin.Exec(othersAreIdle); err != nil {
		return err
	}
	var schema string
	if err := p.admin.QueryRow(schemaQuery).Scan(&schema); err != nil || schema != p.schema {
		return errors.Join(err, errors.New("another schema"))
	}
	_, err := p.admin.Exec(cluster.empty)
	return err
}

func (p *place) drop() error {
	_, _ = p.store.Close(), p.admin.Close()
	return drop(p.name)
}

// schemaQuery is how many rows the catalogues of a schema have, and when the newest was written.
var schemaQuery = func() (query string) {
	for _, table := range []string{"pg_class", "pg_attribute", "pg_proc", "pg_trigger", "pg_constraint", "pg_namespace",
		"pg_db_role_setting", "goose_db_version"} {
		if query != "" {
			query += ` || ' ' || `
		}
		query += fmt.Sprintf(`(SELECT format('%%s %%s', count(*), max(xmin::text::bigint)) FROM %s)`, table)
	}
	return `SELECT ` + query
}()

// othersAreIdle waits for that, and looks how large the database is.
const othersAreIdle = `DO $$ BEGIN
	FOR i IN 1..200 LOOP
		IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND backend_type = 'client backend' AND state <> 'idle') THEN
			ASSERT pg_database_size(current_database()) < 50 << 20, 'very much is left';
			RETURN;
		END IF;
		PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	END LOOP;
	RAISE 'somebody is not idle';
END $$`

// emptyQuery makes the statements that delete everything from the tables that are empty now, past all triggers, and restart the sequences.
const emptyQuery = `SELECT 'SET session_replication_role = replica; ' || string_agg(CASE relkind
	WHEN 'S' THEN format('SELECT setval(%L, 1, false); ', oid::regclass) ELSE format('DELETE FROM %s; ', oid::regclass) END, '')
	FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (relkind = 'S' OR relkind = 'r'
		AND xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', oid::regclass), false, true, ''))::text = '{0}')`
