package db_test

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/storetest"
	"agentchat/migrations"
)

// TestMigrationsLetChatsBy tests that a migration waits for a table's lock that a long reader
// holds, such as a backup, without blocking chats behind it.
func TestMigrationsLetChatsBy(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{})
	base, err := fs.ReadFile(migrations.Files, "0001_base.sql")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"0001_base.sql": {Data: base},
		"0002_next.sql": {Data: []byte("-- +goose Up\nALTER TABLE turns ADD COLUMN next integer;\n")}}
	backup, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = backup.Rollback() }()
	if _, err := backup.ExecContext(t.Context(), `SELECT count(*) FROM turns`); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() { migrated <- db.ApplyMissing(t.Context(), s, files) }()
	for range 3 { // it has come, given up, come again and given up again
		untilMigrationWaits(t, s, true)
		storetest.AnswerTurn(t, s, f.Key, nil)
		untilMigrationWaits(t, s, false)
	}
	select {
	case err := <-migrated:
		t.Fatalf("migrated beside the backup: %v", err)
	default:
	}
	if err := backup.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Error(err)
	}
	storetest.AnswerTurn(t, s, f.Key, nil)
	storetest.Audit(t, s)
}

// untilMigrationWaits waits until a migration is, or is not, queued for the lock on turns.
func untilMigrationWaits(t *testing.T, s *store.DB, want bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		var waits bool
		err := s.SQL().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE relation = 'turns'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted)`).Scan(&waits)
		if err != nil {
			t.Fatalf("until a migration waits, %v: %v", want, err)
		}
		if waits == want {
			return
		}
	}
}
