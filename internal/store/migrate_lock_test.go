package store_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pressly/goose/v3"

	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/migrations"
)

const (
	// millionTurns are how many turns, and charges, the tables hold.
	millionTurns = 1_000_000
	// longestWait is how long a statement of a chat may wait for a migration.
	longestWait = time.Second
)

// TestMigrationsLetChatsGoOn fills the tables of the first schema with a million turns and applies all later migrations, as an
// upgrade of a running service does, while chats begin and finish: none of their statements waits longer than a second.
func TestMigrationsLetChatsGoOn(t *testing.T) {
	faults.Heavy(t) // fills a million rows
	t.Parallel()
	s := schemaAt(t, 1)
	started := time.Now()
	fill(t, s, millionTurns)
	t.Logf("filled in %v", time.Since(started))

	chats := startOldChats(t, s)
	<-chats.on
	started = time.Now()
	if err := s.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	took := time.Since(started)
	chats.stop()
	longest := time.Duration(chats.longest.Load())
	t.Logf("migrations took %v; %d chats meanwhile, the longest statement %v", took, chats.done.Load(), longest)
	if longest > longestWait {
		t.Errorf("a statement waited %v for a migration, at most %v is allowed", longest, longestWait)
	}
	verifyMillion(t, s)
}

// TestMigrationsLetChatsBy: a migration whose lock is taken by somebody who reads for long, as a backup does, waits for it without
// holding the chats up behind it.
func TestMigrationsLetChatsBy(t *testing.T) {
	t.Parallel()
	s := schemaAt(t, 4)
	fill(t, s, 1000)
	backup, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = backup.Rollback() }()
	if _, err := backup.ExecContext(t.Context(), `SELECT count(*) FROM turns`); err != nil {
		t.Fatal(err)
	}
	chats := startOldChats(t, s)
	<-chats.on
	migrated := make(chan error, 1)
	go func() { migrated <- s.Migrate(t.Context()) }()
	for range 3 { // it has come, given up, come again and given up again
		for _, waits := range []bool{true, false} {
			untilMigrationWaits(t, s, waits)
		}
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
	chats.stop()
	longest := time.Duration(chats.longest.Load())
	t.Logf("%d chats meanwhile, the longest statement %v", chats.done.Load(), longest)
	if faults.Full() && longest > longestWait {
		t.Errorf("a statement waited %v, at most %v is allowed", longest, longestWait)
	}
	storetest.Audit(t, s)
}

// untilMigrationWaits waits until a migration is, or is not, queued for the lock on turns.
func untilMigrationWaits(t *testing.T, s *store.Store, want bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		var waits bool
		err := s.DB().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE relation = 'turns'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted)`).Scan(&waits)
		if err != nil {
			t.Fatalf("until a migration waits, %v: %v", want, err)
		}
		if waits == want {
			return
		}
	}
}

// TestMigrationIsDoneAgain: a start that was killed while an index was made leaves one that is not valid; the next makes it anew.
func TestMigrationIsDoneAgain(t *testing.T) {
	t.Parallel()
	s := schemaAt(t, 3)
	exec(t, s, `CREATE INDEX conversations_latest ON conversations (id)`) // in the place of the one that is not valid
	exec(t, s, `CREATE INDEX credit_entries_agent ON credit_entries (id)`)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var made int
	err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM pg_index
		WHERE indexrelid IN ('conversations_latest'::regclass, 'credit_entries_agent'::regclass) AND indisvalid AND indnatts > 1`).Scan(&made)
	if err != nil || made != 2 {
		t.Errorf("%d of 2 indexes were made anew, %v", made, err)
	}
}

// schemaAt is a store on a database whose schema is of an older version.
func schemaAt(t *testing.T, version int64) *store.Store {
	t.Helper()
	s := storetest.Open(t, storetest.EmptyURL(t))
	provider, err := goose.NewProvider(goose.DialectPostgres, s.DB(), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	return s
}

// verifyMillion audits the million turns and says how long that took.
func verifyMillion(t *testing.T, s *store.Store) {
	t.Helper()
	bulk(t, s, `VACUUM ANALYZE`)
	started := time.Now()
	found, err := s.Verify(t.Context(), 9)
	if err != nil || found.Total != 0 || found.Turns < millionTurns || found.Entries < millionTurns {
		t.Errorf("afterwards: %+v, %v", found, err)
	}
	t.Logf("%d turns and %d entries verified in %v", found.Turns, found.Entries, time.Since(started))
}

// fill makes accounts with an agent, ten conversations and a thousand answered turns each, in all so many turns.
func fill(t *testing.T, s *store.Store, turns int) {
	t.Helper()
	bulk(t, s, `INSERT INTO accounts (id, email, name, password_hash, credit_balance, entry_count)
		SELECT gen_random_uuid(), n || '@example.com', 'Owner', 'none', 1000000, 1001 FROM generate_series(1, $1) n`, turns/1000)
	for _, query := range []string{
		`INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), id, 'Assistant' FROM accounts`,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			SELECT gen_random_uuid(), account_id, id, 'API', 'customer ' || n, 100 FROM agents, generate_series(1, 10) n`,
		`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id, deadline)
			SELECT gen_random_uuid(), account_id, agent_id, id, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 1, 'r', now()
			FROM conversations, generate_series(1, 100) n`,
		`INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after)
			SELECT gen_random_uuid(), id, 1, 'GRANT', 1001000, 1001000 FROM accounts`,
		`INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, export_id, turn_id)
			SELECT gen_random_uuid(), account_id, 1 + place, 'CHARGE', -1, 1001000 - place, agent_id, agent_id, id
			FROM (SELECT id, account_id, agent_id, row_number() OVER (PARTITION BY account_id) AS place FROM turns) t`,
	} {
		bulk(t, s, query)
	}
}

// oldChats are chats of a binary that knows the first schema only: they lock and write what begin and finish do.
type oldChats struct {
	on      chan struct{}
	done    atomic.Int64
	longest atomic.Int64
	stop    func()
}

const (
	oldBegin = `
		WITH c AS (
			UPDATE conversations SET turn_count = turn_count + 1, last_turn_at = now() WHERE id = $1 RETURNING *
		), t AS (
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
			SELECT $2, c.account_id, c.agent_id, c.id, 'API', c.turn_count, 'PENDING', 'hello', 'm', 1, 'r', now() + interval '1 h' FROM c
			RETURNING account_id
		)
		UPDATE accounts a SET credits_held = a.credits_held + 1 FROM t WHERE a.id = t.account_id`
	oldFinish = `
		WITH t AS (
			UPDATE turns SET state = 'ANSWERED', reply = 'hi', settled_at = now() WHERE id = $1 RETURNING *
		), a AS (
			UPDATE accounts a SET credits_held = a.credits_held - 1, credit_balance = a.credit_balance - 1, entry_count = a.entry_count + 1
			FROM t WHERE a.id = t.account_id RETURNING a.*
		)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, turn_id)
		SELECT gen_random_uuid(), a.id, a.entry_count, 'CHARGE', -1, a.credit_balance, t.agent_id, t.id FROM a, t`
)

func startOldChats(t *testing.T, s *store.Store) *oldChats {
	t.Helper()
	var conversation uuid.UUID
	if err := s.DB().QueryRowContext(t.Context(), `SELECT id FROM conversations LIMIT 1`).Scan(&conversation); err != nil {
		t.Fatal(err)
	}
	c := &oldChats{on: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	c.stop = func() {
		cancel()
		<-ended
	}
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			turn := uuid.Must(uuid.NewV7())
			// Not ended by ctx: a chat that was begun is finished.
			if !c.timed(t, s, oldBegin, conversation, turn) || !c.timed(t, s, oldFinish, turn) {
				return
			}
			if c.done.Add(1) == 10 {
				close(c.on)
			}
		}
	}()
	return c
}

// timed runs one statement and notes how long it took.
func (c *oldChats) timed(t *testing.T, s *store.Store, query string, args ...any) bool {
	t.Helper()
	started := time.Now()
	_, err := s.DB().ExecContext(t.Context(), query, args...)
	c.longest.Store(max(c.longest.Load(), int64(time.Since(started))))
	if err != nil {
		t.Errorf("a chat during the migrations: %v", err)
	}
	return err == nil
}
