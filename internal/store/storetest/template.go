package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"agentchat/internal/store"
)

// templateLock is the advisory lock under which test programs create a template.
const templateLock = 7_226_309

// useTemplate finds or creates the template of the current schema. Programs on one server share it,
// and none drops it. A template with connections cannot be copied, so the database's comment holds
// cluster.empty.
func useTemplate(ctx context.Context) error {
	sum, err := schemaSum()
	if err != nil {
		return err
	}
	cluster.template = "template_" + sum
	conn, err := cluster.admin.Conn(ctx) // the lock belongs to a connection
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, templateLock); err != nil {
		return err
	}
	defer func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, templateLock)
	}()
	var version int
	if err := conn.QueryRowContext(ctx,
		`SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return err
	}
	if version >= 150000 { // their default logs each page and takes three times as long
		cluster.strategy = ` STRATEGY file_copy`
	}
	err = conn.QueryRowContext(ctx, `SELECT shobj_description(oid, 'pg_database') FROM pg_database
		WHERE datname = $1 AND shobj_description(oid, 'pg_database') IS NOT NULL`,
		cluster.template).Scan(&cluster.empty)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return makeTemplate(ctx, conn)
}

// makeTemplate creates the template. It replaces one without a comment, whose program ended too
// early.
func makeTemplate(ctx context.Context, conn *sql.Conn) error {
	for _, statement := range []string{`DROP DATABASE IF EXISTS `, `CREATE DATABASE `} {
		if _, err := conn.ExecContext(ctx, statement+cluster.template); err != nil {
			return err
		}
	}
	if err := migrateTemplate(ctx); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, fmt.Sprintf(`COMMENT ON DATABASE %s IS $comment$%s$comment$`,
		cluster.template, cluster.empty))
	return err
}

func migrateTemplate(ctx context.Context) error {
	s, err := store.Open(ctx, store.Config{URL: databaseURL(cluster.template)})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	cluster.empty, err = emptying(ctx, s.SQL())
	return err
}

// schemaSum returns a hash of the files that make up the schema.
func schemaSum() (string, error) {
	sum := sha256.New()
	for _, pattern := range []string{"migrations/*.sql", "internal/store/internal/db/sql/functions/*.sql"} {
		files, err := filepath.Glob(repositoryDir(filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		if len(files) == 0 {
			return "", errors.New("no schema files match " + pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			_, _ = fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(file), len(text), text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
