package turns_test

import (
	"database/sql"
	"testing"

	"github.com/google/uuid"

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
		spend := func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE api_exports
				SET rate_tat = greatest(rate_tat, now()) + interval '1 s' WHERE id = $1`, spent)
			return err
		}
		var active bool
		lock := `SELECT FROM api_exports WHERE id = '` + f.Export.ID.String() + `' FOR UPDATE`
		whileLocked(t, s, lock, spend, func() (err error) {
			items := []turns.Begin{storetest.NewBegin(f.Key), storetest.NewBegin(f.Key)}
			inSession(&items[0], uuid.NewString())
			inSession(&items[1], uuid.NewString())
			active, err = turns.On(s).OtherReplicaActive(t.Context(), items...)
			return err
		})
		if active != other {
			t.Errorf("another replica is active: %v, want %v", active, other)
		}
	}
	storetest.Audit(t, s)
}
