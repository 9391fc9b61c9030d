package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// The rules of a turn are functions of the database, one in each file of sql/functions, which is
// their only definition. A file is named after its function, with a number. Migrate installs the
// missing functions, so no migration defines any. A released function never changes
// (migrations/released.sha256): a new version gets the next number, and the previous release
// continues to call its own. A function whose text differs, from a build between releases,
// is replaced.

//go:embed sql/functions/*.sql
var functionFiles embed.FS

// function is a function with its text, whose sum is its comment in the database.
type function struct{ name, text, sum string }

var functions = sync.OnceValue(func() (all []function) {
	files, _ := fs.Glob(functionFiles, "sql/functions/*.sql") // the pattern is well formed
	for _, file := range files {
		text, err := functionFiles.ReadFile(file)
		if err != nil {
			panic(err) // it is embedded
		}
		sum := sha256.Sum256(text)
		all = append(all, function{strings.TrimSuffix(path.Base(file), ".sql"), string(text), hex.EncodeToString(sum[:])})
	}
	return all
})

// functionSums are the names of the functions and, at the same index, the sums of their texts.
func functionSums() (names, sums []string) {
	for _, f := range functions() {
		names, sums = append(names, f.name), append(sums, f.sum)
	}
	return names, sums
}

// otherFunctions counts the functions that are missing, or have another text. $1 names text[] $2
// sums of their texts text[]
const otherFunctions = `SELECT count(*) FROM unnest($1::text[], $2::text[]) f(name, sum)
	WHERE obj_description(to_regproc(f.name), 'pg_proc') IS DISTINCT FROM f.sum`

var typeOf = regexp.MustCompile(`(?m)^CREATE TYPE (\w+)`)

// installFunctions makes the functions that are missing, and replaces those with another text.
func installFunctions(ctx context.Context, pool *sql.DB) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, f := range functions() {
		var other bool
		if err := tx.QueryRowContext(ctx, "SELECT ("+otherFunctions+") > 0", []string{f.name}, []string{f.sum}).Scan(&other); err != nil {
			return err
		}
		if !other {
			continue
		}
		steps := []string{"DROP FUNCTION IF EXISTS " + f.name}
		for _, match := range typeOf.FindAllStringSubmatch(f.text, -1) {
			steps = append(steps, "DROP TYPE IF EXISTS "+match[1])
		}
		steps = append(steps, f.text, fmt.Sprintf("COMMENT ON FUNCTION %s IS '%s'", f.name, f.sum))
		for _, step := range steps {
			if _, err := tx.ExecContext(ctx, step); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return tx.Commit()
}
