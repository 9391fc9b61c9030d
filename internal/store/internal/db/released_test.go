package db_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/storetest"
	"agentchat/migrations"
)

// TestReleasedFilesNeverChange compares the files of migrations/released.sha256 with their hashes.
func TestReleasedFilesNeverChange(t *testing.T) {
	t.Parallel()
	root := filepath.FromSlash("../../../..")
	list, err := os.ReadFile(filepath.Join(root, "migrations", "released.sha256"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		released, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		sum := sha256.Sum256(text)
		if err != nil || hex.EncodeToString(sum[:]) != released {
			t.Errorf("%s is released and never changes. Restore it. Then add a new migration, or a function with the next number", name)
		}
	}
}

// fact is something in the schema that a release may rely on, or a demand: a column that every new
// row must set.
type fact struct {
	relation, text string
	demand         bool
}

// factsSQL lists columns with their types, defaults, functions and unique indexes. ON CONFLICT and
// the translation of errors rely on unique indexes.
const factsSQL = `
	WITH columns AS (
		SELECT c.relname, c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull,
			a.atthasdef OR a.attidentity <> '' AS has_default
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'c')
			AND a.attnum > 0 AND NOT a.attisdropped
	)
	SELECT relname, name || ' ' || type || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, false FROM columns
	UNION ALL SELECT relname, 'the default of ' || name, false FROM columns WHERE has_default
	UNION ALL SELECT relname, name || ' NOT NULL without a default', true FROM columns WHERE attnotnull AND NOT has_default
	UNION ALL SELECT '', p.proname || '(' || pg_get_function_arguments(p.oid) || ') ' || pg_get_function_result(p.oid), false
	FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
	UNION ALL SELECT '', pg_get_indexdef(i.indexrelid), false
	FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
	WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique`

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func readFacts(t *testing.T, q querier) map[fact]bool {
	t.Helper()
	rows, err := q.QueryContext(t.Context(), factsSQL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	facts := map[fact]bool{}
	for rows.Next() {
		var f fact
		if err := rows.Scan(&f.relation, &f.text, &f.demand); err != nil {
			t.Fatal(err)
		}
		facts[f] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return facts
}

// breaks lists what a release that works on the schema `before` lacks on the schema `after`.
func breaks(before, after map[fact]bool) (list []string) {
	relations := map[string]bool{}
	for f := range before {
		relations[f.relation] = true
		if !f.demand && !after[f] {
			list = append(list, "gone: "+f.text)
		}
	}
	for f := range after {
		if f.demand && relations[f.relation] && !before[f] {
			list = append(list, "new: "+f.text)
		}
	}
	return list
}

// TestMigrationsOnlyAdd applies the migrations after the first one. They remove nothing that the
// previous release reads, and add no column that it would need to set.
func TestMigrationsOnlyAdd(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.EmptyURL(t))
	base, err := fs.ReadFile(migrations.Files, "0001_base.sql")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.ApplyMissing(t.Context(), s, fstest.MapFS{"0001_base.sql": {Data: base}}); err != nil {
		t.Fatal(err)
	}
	before := readFacts(t, s.SQL())
	// Not ApplyMissing, which would install a dropped function again.
	provider, err := goose.NewProvider(goose.DialectPostgres, s.SQL(), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, what := range breaks(before, readFacts(t, s.SQL())) {
		t.Errorf("a migration breaks the previous release: %s", what)
	}
}

// TestBreakingMigrationsAreFound tests the check of TestMigrationsOnlyAdd.
func TestBreakingMigrationsAreFound(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for statement, want := range map[string]string{
		`DROP TABLE throttles`:                                       "gone: throttles.key bytea NOT NULL",
		`ALTER TABLE throttles RENAME TO attempts`:                   "gone: throttles.key bytea NOT NULL",
		`ALTER TABLE turns DROP COLUMN reply`:                        "gone: turns.reply text",
		`DO $$ BEGIN EXECUTE 'ALTER TABLE turns DROP reply'; END $$`: "gone: turns.reply text",
		`ALTER TABLE turns RENAME reply TO answer`:                   "gone: turns.reply text",
		`ALTER TABLE turns ALTER reply TYPE varchar(9)`:              "gone: turns.reply text",
		`ALTER TABLE turns ALTER reply SET NOT NULL`:                 "new: turns.reply NOT NULL without a default",
		`ALTER TABLE users ALTER password_hash DROP NOT NULL`:        "gone: users.password_hash text NOT NULL",
		`ALTER TABLE users ALTER wrong_codes DROP DEFAULT`:           "gone: the default of users.wrong_codes",
		`ALTER TABLE users ADD age int NOT NULL`:                     "new: users.age NOT NULL without a default",
		`ALTER TABLE users DROP CONSTRAINT users_email`:              "gone: CREATE UNIQUE INDEX users_email ON public.users USING btree (email)",
		`ALTER TYPE begun_1 RENAME TO begun_2`:                       "gone: begun_1.outcome text",
		`DROP FUNCTION reap_turns_1`:                                 "gone: reap_turns_1(most integer, dead integer DEFAULT",

		`CREATE TABLE pets (id int NOT NULL)`:                 "",
		`ALTER TABLE users ADD age int`:                       "",
		`ALTER TABLE users ADD age int NOT NULL DEFAULT 0`:    "",
		`ALTER TABLE users ALTER name SET DEFAULT 'Ada'`:      "",
		`DROP INDEX accounts_retention`:                       "",
		`CREATE FUNCTION f_2() RETURNS int RETURN 1`:          "",
		`ALTER TABLE turns DROP CONSTRAINT turns_state_check`: "",
	} {
		tx, err := s.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		before := readFacts(t, tx)
		if _, err := tx.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		got := strings.Join(breaks(before, readFacts(t, tx)), "\n")
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q lacks %q", statement, got, want)
		}
		_ = tx.Rollback()
	}
}
