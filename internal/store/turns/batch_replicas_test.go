package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestBatchSeesOtherReplicas: a batch reports when a statement of another replica begins a message of
// the same export meanwhile.
func TestBatchSeesOtherReplicas(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, other := range []bool{false, true} {
		f, another := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
		spent := another.Export.ID
		if other {
			spent = f.Export.ID
		}
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { inSession(b, "before") })
		active, err := begunBeside(t, s, f, spent)
		for fault.Is(err, fault.Unavailable) && t.Context().Err() == nil { // the batch has waited as long as it may
			active, err = begunBeside(t, s, f, spent)
		}
		if err != nil || active != other {
			t.Errorf("active %v %v, want %v", active, err, other)
		}
	}
	storetest.Audit(t, s)
}

// begunBeside begins two turns in a batch that waits for a transaction, which spends the rate of an
// export.
func begunBeside(t *testing.T, s *store.DB, f storetest.Fixture, spent uuid.UUID) (active bool, err error) {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM api_exports WHERE id = $1 FOR UPDATE`, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	items := []turns.Begin{storetest.NewBegin(f.Key), storetest.NewBegin(f.Key)}
	inSession(&items[0], uuid.NewString())
	inSession(&items[1], uuid.NewString())
	done := make(chan struct{})
	go func() {
		defer close(done)
		active, err = turns.On(s).OtherReplicaActive(t.Context(), items...)
	}()
	for waits := 0; waits == 0; {
		select {
		case <-done:
			return active, err
		default:
		}
		if err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if _, txErr := tx.ExecContext(t.Context(), `UPDATE api_exports SET rate_tat = greatest(rate_tat, now()) + interval '1 s' WHERE id = $1`,
		spent); txErr != nil {
		t.Fatal(txErr)
	}
	if txErr := tx.Commit(); txErr != nil {
		t.Fatal(txErr)
	}
	<-done
	return active, err
}
