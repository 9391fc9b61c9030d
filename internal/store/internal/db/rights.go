package db

import (
	"context"
	_ "embed" // the statement is a file of its own
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"agentchat/migrations"
)

//go:embed sql/rights.sql
var rightsSQL string

var tableOf = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)

// tableNames are the tables that the migrations make, and that of the migrations themselves.
var tableNames = sync.OnceValue(func() []string {
	names := []string{"goose_db_version"}
	files, _ := fs.Glob(migrations.Files, "*.sql") // the pattern is well formed
	for _, file := range files {
		text, err := fs.ReadFile(migrations.Files, file)
		if err != nil {
			panic(err) // it is embedded
		}
		for _, match := range tableOf.FindAllStringSubmatch(string(text), -1) {
			names = append(names, match[1])
		}
	}
	return names
})

// checkRights returns an error with the SQL by which the role of a connection gets what it lacks,
// for migrating or for serving.
func checkRights(ctx context.Context, on binding, migrating bool) error {
	functions, _ := functionSums()
	rows, err := on.QueryContext(ctx, rightsSQL, migrating, tableNames(), functions)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var lacks []string
	for rows.Next() {
		var statement string
		if err := rows.Scan(&statement); err != nil {
			return err
		}
		lacks = append(lacks, statement)
	}
	if err := rows.Err(); err != nil || len(lacks) == 0 {
		return err
	}
	if migrating {
		return fmt.Errorf("the role may not migrate it. Set MIGRATE_DATABASE_URL to the URL of the tables' owner, "+
			"or run this as a superuser or that owner: %s", strings.Join(lacks, " "))
	}
	return fmt.Errorf("the role lacks rights. Run this as a superuser or the owner of the tables: %s", strings.Join(lacks, " "))
}

// CheckMigration checks that migrations can connect and may do their work. Its errors are one line
// for the operator.
func (s *DB) CheckMigration(ctx context.Context) error {
	pool, conf, err := s.migrationPool()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	if err := checkRights(ctx, pool, true); err != nil {
		return s.cannotMigrate(err, conf)
	}
	return nil
}
